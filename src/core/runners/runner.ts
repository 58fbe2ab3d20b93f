import type { ReportParser } from '../reports/report.ts';
import type { Word } from '../shell/command-line.ts';

/** All that is known of one way to run tests. What is left out has no answer for it. */
export interface Runner {
  /** How its report is called by whoever reads of it. */
  readonly reportName: string;
  /** Where the words of a command call it: the index of its first own argument, 0 where they do not. */
  readonly findCall?: (names: readonly string[]) => number;
  /** Whether a command that calls it tells by that alone how its results are read. */
  readonly isRecognised?: true;
  /** Flags whose value is a word of its own, which must not be taken for a file. */
  readonly valueFlags?: RegExp;
  /** Flags that leave tests out of a run, and flags that make a run of none. */
  readonly narrowingFlags?: readonly string[];
  readonly listingFlags?: readonly string[];

  /** How it is told which file to run; null where it cannot be told. */
  readonly getTarget?: (file: string, asked: Asked) => string | null;
  /** Whether it takes any number of files. */
  readonly takesFiles?: true;
  /** `after-call`: what tells the file comes first. `call-only`: a script around it may hand it to another program. */
  readonly targetPlace?: 'after-call' | 'call-only';

  /** The command with the report switched on. */
  readonly plan: MakePlan;
  /** Null where only the exit code is read. */
  readonly parse: ReportParser | null;
  /** What it says of a test that is red; parts of patterns, by the kind of reason. */
  readonly failures?: Partial<Readonly<Record<FailureKind, readonly string[]>>>;
  /** Whether it tells of a test file that cannot be loaded as of a failing test. */
  readonly alwaysStarts?: true;
  /** Whether a file that does not compile silences the files beside it. */
  readonly compilesTogether?: true;
  readonly installExample?: string;

  /** Variables and packages of its own that no product has business with. */
  readonly variables?: readonly string[];
  readonly packages?: readonly string[];
  /** Modules that test functions are imported from. */
  readonly testModules?: readonly string[];
  /** The package whose version lockfiles pin. */
  readonly pinnedPackage?: string;
  /** Asks what runs it for its version. */
  readonly versionCommand?: string;
  /** What it compiles is kept for the next run where it is told to by this variable. */
  readonly buildCache?: {
    readonly variable: string;
    /** The command without a test of it being run; null where nobody knows how. */
    readonly getCompileCommand: (command: string, invocation: Invocation) => string | null;
  };

  /** Programs that scripts of a package.json run tests with, and of which the results are read this way. */
  readonly tools?: readonly ScriptTool[];
  /** Whether its flags reach it through a script around it. */
  readonly takesFlagsLast?: true;
  /** What makes one run at the root find the tests of several packages. */
  readonly getWorkspaceArguments?: (folders: readonly string[]) => string;
  /** A test that fails until somebody writes the real one. */
  readonly getStub?: (stub: Stub) => string | null;
}

export type FailureKind = 'dependency' | 'missing-own' | 'time-out' | 'collection' | 'syntax';

/** What else there is to know about the file that is asked for. */
export interface Asked {
  readonly invocation: Invocation | null;
  /** Its text, empty where nobody has it. */
  readonly text: string;
}

/** Where in a command line a runner is called, and how more arguments reach it. */
export interface Invocation {
  readonly words: readonly Word[];
  /** The index of the runner's first own argument; all of `words` when a package script hides it. */
  readonly firstArgument: number;
  readonly via: 'runner' | 'script';
  /** A package manager that hands on only what follows ` -- `. */
  readonly needsDashes: boolean;
}

/** How a test command is run so that it leaves a report. */
export interface ReportPlan {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The runner writes the file, or its output is sent there; `exit-code` when there is no report. */
  readonly from: 'file' | 'stdout' | 'exit-code';
  /** A program that has to lie beside the report, where the runner loads it. */
  readonly reporter?: { readonly path: string; readonly text: string };
}

/** Where a report has to go: the path, and the same as a word of a shell. */
export interface ReportFile {
  readonly path: string;
  readonly quoted: string;
}

export type MakePlan = (command: string, file: ReportFile, invocation: Invocation | null) => ReportPlan;

/** A program that tests JavaScript: how a line of a script is told to be its own, and made to run once and report. */
export interface ScriptTool {
  readonly name: string;
  /** What a line of its own begins with; `node`, and the rest left to `isTest`, for `node ace test`. */
  readonly programs: readonly string[];
  /** Whether what follows the program makes it run tests. */
  readonly isTest?: (args: readonly string[]) => boolean;
  readonly once?: (line: string) => string;
  /** The same for one file, where that does not follow from the line; `{file}` is in it. */
  readonly feature?: (once: string) => string;
  /** Whether a project that has it installed runs its tests with it, whatever its scripts say. */
  readonly isDirect?: true;
  /** Whether it runs one file by itself although a script of the project's own drives all of them. */
  readonly runsAlone?: true;
  /** Whether it compiles what it loads, so that a compiler before it only checks. */
  readonly compiles?: true;
}

/** What a test says that has not been written yet. */
export interface Stub {
  readonly file: string;
  /** The comment that tells it from a real one. */
  readonly note: string;
  readonly task: string;
  readonly title: string;
  /** Whether the project's `.js` files are modules. */
  readonly isModule: boolean;
}
