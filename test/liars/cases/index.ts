import { type Case, expand } from '../case.ts';
import { HONEST } from './honest.ts';
import { IDLE } from './idle.ts';
import { TESTS } from './tests.ts';

/** Every case there is, family by family. */
export const CASES: readonly Case[] = expand({ idle: IDLE, tests: TESTS, honest: HONEST });
