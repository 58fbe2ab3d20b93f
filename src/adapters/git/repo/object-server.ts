import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createAnswerReader, type ObjectAnswer } from './object-answers.ts';

/** A git that stays and answers questions about objects: a process for each would take forty times as long. */
export interface ObjectServer {
  /** One answer for each name, in order; rejects when git ended before it had answered. */
  ask(how: 'contents' | 'info', specs: readonly string[]): Promise<ObjectAnswer[]>;
}

interface Question {
  readonly how: 'contents' | 'info';
  readonly specs: readonly string[];
  readonly answers: ObjectAnswer[];
  readonly resolve: (answers: ObjectAnswer[]) => void;
  readonly reject: (error: Error) => void;
}

interface Running {
  readonly child: ChildProcess;
  readonly questions: Question[];
  /** What has not been written to it yet. */
  readonly unsent: string[];
}

const IDLE_MS = 10_000;
const PATIENCE_MS = 10 * 60_000;

/**
 * Started by the first question and ended after a while without any. It only reads, and its standard
 * input ends with this process, however that ends: it can neither outlive us nor hold us up.
 */
export function createObjectServer(place: { cwd: string; env: Record<string, string> }): ObjectServer {
  let running: Running | null = null;
  let idle: NodeJS.Timeout | undefined;
  const rest = (server: Running): void => {
    setHeld(server.child, false);
    idle = setTimeout(() => {
      if (running === server) running = null;
      server.child.stdin?.end();
    }, IDLE_MS);
    idle.unref();
  };
  return {
    async ask(how, specs) {
      if (specs.length === 0) return [];
      clearTimeout(idle);
      if (running === null || !isUsable(running.child)) running = start(place);
      const server = running;
      setHeld(server.child, true);
      const patience = setTimeout(() => server.child.kill('SIGKILL'), PATIENCE_MS);
      try {
        return await put(server, how, specs);
      } finally {
        clearTimeout(patience);
        if (server.questions.length === 0) rest(server);
      }
    },
  };
}

function put(server: Running, how: Question['how'], specs: readonly string[]): Promise<ObjectAnswer[]> {
  return new Promise((resolve, reject) => {
    server.questions.push({ how, specs, answers: [], resolve, reject });
    server.unsent.push(...specs.map(spec => `${how} ${spec}\0`));
    // All that is asked in one go is written in one go: each write waits for the system.
    if (server.unsent.length === specs.length)
      queueMicrotask(() => server.child.stdin?.write(server.unsent.splice(0).join('')));
  });
}

function start({ cwd, env }: { cwd: string; env: Record<string, string> }): Running {
  const child = spawn('git', ['cat-file', '--batch-command', '-z'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const questions: Question[] = [];
  const fail = (error: Error): void => {
    for (const question of questions.splice(0)) question.reject(error);
  };
  const reader = createAnswerReader();
  child.stdin?.on('error', () => {});
  // Held and let go again before it is connected, a socket notes down each time.
  for (const socket of [child.stdin, child.stdout]) socket?.setMaxListeners(0);
  child.stdout?.on('data', chunk => {
    reader.add(chunk);
    try {
      while (questions[0] && readAnswer(questions[0], reader)) questions.shift();
    } catch (error) {
      child.kill('SIGKILL');
      fail(error as Error);
    }
  });
  child.on('error', fail);
  child.on('close', () => fail(new Error('git cat-file ended before it had answered')));
  return { child, questions, unsent: [] };
}

/** Whether the question is answered in full; answers come one by one. */
function readAnswer(question: Question, reader: ReturnType<typeof createAnswerReader>): boolean {
  const { how, specs, answers } = question;
  while (answers.length < specs.length) {
    const answer = reader.take(how, specs[answers.length] as string);
    if (answer === null) return false;
    answers.push(answer);
  }
  question.resolve(answers);
  return true;
}

function isUsable({ exitCode, signalCode, stdin }: ChildProcess): boolean {
  return exitCode === null && signalCode === null && (stdin?.writable ?? false);
}

/** Only a question keeps this process alive, never the server itself. */
function setHeld(child: ChildProcess, isHeld: boolean): void {
  for (const part of [child, child.stdin as Socket | null, child.stdout as Socket | null]) {
    if (isHeld) part?.ref();
    else part?.unref();
  }
}
