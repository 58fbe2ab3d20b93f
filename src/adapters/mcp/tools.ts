import * as z from 'zod';
import type { ToolEntry } from '../../core/tool-entry.ts';

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

/** One tool as it is offered: its name, what it is for, and the entry that calling it leaves. */
export interface HarnessTool {
  readonly name: string;
  readonly description: string;
  readonly type: ToolEntry['type'];
  readonly reply: string;
}

/** The tools that leave an entry; `orientation` only answers and is not among them. */
export const TOOLS: readonly HarnessTool[] = [
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
];

/** The input of a tool: its entry without the type, which the tool itself stands for. */
export function getInputSchema(type: ToolEntry['type']): z.ZodObject {
  const found = toolEntry.options.find(option => option.shape.type.value === type);
  if (!found) throw new Error(`no entry of type ${type}`);
  const { type: _, ...shape } = found.shape;
  return z.strictObject(shape as z.ZodRawShape);
}

function text(max: number) {
  return z.string().trim().min(1).max(max);
}
