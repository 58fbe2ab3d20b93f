/**
 * The defects that were met when every row was tried from outside for the first time, and the behaviours that show them
 * mended: each of these was red on the version that was tried (dc6e297).
 */
export const DEFECTS: Readonly<Record<string, readonly string[]>> = {
  'red counted as done': ['C27.3'],
  'an agent was paid on a base that had turned red': ['C17.3'],
  'exit 0 with a question open': ['C1.14'],
  'a silent program was ended as stuck': ['C8.4', 'C8.5'],
  'one task that nothing can judge stopped all': ['A9.1', 'A9.2'],
  'a new project was in good health': ['C21.4', 'C21.5'],
  'figures were those from before the last landing': ['C7.3'],
  'stuck_count rose for reasons that are not the task’s': ['C12.4', 'C12.5'],
  'progress notes named another next task, and report lines as work done': ['C5.14', 'C20.3'],
  'newer records were worked on in silence': ['C26.11'],
  'a later task undid a landed one unseen': ['C6.7'],
  'a check that is green from the start proved a loop': ['C6.9'],
  '--max-iterations did not limit paid sessions': ['B6.2'],
  'a task without a judge broke the environment of all': ['A9.1'],
  'validation.command null made the file unreadable': ['A4.11'],
  'dependencies of harness-loop were dropped': ['D1.1', 'D1.2'],
  'a failing health check was not reset': ['C14.4'],
  'a question about the budget stayed once the cap was raised': ['C17.12'],
  'a cycle was asked about again after every landing': ['A8.8'],
  'init was in the way of import': ['A1.17'],
  'a command to type was not quoted': ['C1.17'],
  'a time-out left an empty finding': ['A12.5'],
  'the prompt named a flag that the format has not': ['C4.7'],
  'damage was hidden while work waited beside the base': ['A13.7'],
  'costs.ceiling_tokens did nothing': ['E10.1'],
};
