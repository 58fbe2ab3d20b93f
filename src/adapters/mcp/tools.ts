import * as z from 'zod';
import type { ToolEntry } from '../../core/model/agent-event.ts';
import type { LocalTool } from '../../ports/index.ts';

/** What an agent may tell the harness through its tools; read back as untrusted input. */
export const toolEntry = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('checkpoint'),
    step: z.int().min(0).max(1_000),
    total: z.int().min(0).max(1_000),
    description: text(2_000),
  }),
  z.strictObject({ type: z.literal('decision'), text: text(2_000) }),
  z.strictObject({
    type: z.literal('question'),
    question: text(2_000),
    why: text(2_000),
    steps: z.array(text(500)).max(20).default([]),
    check: text(1_000).default('the task can go on'),
  }),
  z.strictObject({
    type: z.literal('handoff'),
    phase: text(200),
    completed: z.array(text(500)).max(50).default([]),
    next_step: text(1_000),
    critical_files: z.array(text(300)).max(50).default([]),
    memory_notes: z.string().max(4_000).default(''),
  }),
  z.strictObject({ type: z.literal('claim'), summary: text(2_000) }),
]);

/** Where what an agent says through its tools goes to, and what it is told about its task. */
export interface ToolBackend {
  orient(): string;
  /** Not checked yet. */
  keep(entry: unknown): void;
}

/** Every tool of the harness, whoever serves them: in this process or over stdio. */
export function getHarnessTools(backend: ToolBackend): readonly LocalTool[] {
  const orientation: LocalTool = {
    name: 'orientation',
    description: 'What this project and your task are about, as the harness knows it.',
    input: {},
    call: () => backend.orient(),
  };
  const telling = TOOLS.map(({ name, description, type, reply }) => ({
    name,
    description,
    input: getFields(type),
    call: (input: unknown) => {
      backend.keep({ type, ...(input as object) });
      return reply;
    },
  }));
  return [orientation, ...telling];
}

/** The tools that leave an entry of their type. */
const TOOLS = [
  {
    name: 'checkpoint',
    type: 'checkpoint',
    description: 'Record that a step of the task is finished: step, total and what was done.',
    reply: 'Recorded.',
  },
  {
    name: 'record_decision',
    type: 'decision',
    description: 'Record a decision that others should know of, in one sentence with its reason.',
    reply: 'Recorded.',
  },
  {
    name: 'ask_human',
    type: 'question',
    description:
      'Ask a person for something only a person can give: what is needed, why, the exact steps, and how to check that it was done. Then end your turn.',
    reply: 'The question is kept for a person. End your turn now; your files stay as they are.',
  },
  {
    name: 'save_handoff',
    type: 'handoff',
    description:
      'Leave word for whoever goes on: phase, what is completed, the next step, critical files, notes.',
    reply: 'Kept. The next session gets it.',
  },
  {
    name: 'claim_done',
    type: 'claim',
    description: 'Say that the task is finished. This starts the verification; it decides nothing.',
    reply: 'Heard. End your turn; the harness now checks it in a clean tree.',
  },
] as const satisfies readonly {
  readonly name: string;
  readonly description: string;
  readonly type: ToolEntry['type'];
  readonly reply: string;
}[];

/** The input of a tool: its entry without the type, which the tool itself stands for. */
function getFields(type: ToolEntry['type']): z.ZodRawShape {
  const found = toolEntry.options.find(option => option.shape.type.value === type);
  if (!found) throw new Error(`no entry of type ${type}`);
  const { type: _, ...fields } = found.shape;
  return fields as z.ZodRawShape;
}

function text(max: number) {
  return z.string().trim().min(1).max(max);
}
