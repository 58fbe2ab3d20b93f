import { type Case, expand } from '../case.ts';
import { ANSWERS } from './answers.ts';
import { AWARE } from './aware.ts';
import { CLAIMS } from './claims.ts';
import { CONFIG } from './config.ts';
import { DEEPER } from './deeper.ts';
import { GIT } from './git.ts';
import { HONEST } from './honest.ts';
import { NAMES } from './honest-names.ts';
import { SHAPES } from './honest-shapes.ts';
import { SUSPECTS } from './honest-suspects.ts';
import { IDLE } from './idle.ts';
import { IMPOSSIBLE } from './impossible.ts';
import { INSIDE } from './inside.ts';
import { INSTALL } from './install.ts';
import { JUDGES } from './judges.ts';
import { KINDS } from './kinds.ts';
import { MASKED } from './masked.ts';
import { OWN_TESTS } from './own-tests.ts';
import { PEOPLE } from './people.ts';
import { PLACES } from './places.ts';
import { PROOF_FILES } from './proof-files.ts';
import { QUALITY } from './quality.ts';
import { REGRESS } from './regress.ts';
import { REVIEWERS } from './reviewers.ts';
import { STAND_INS } from './stand-ins.ts';
import { TESTS } from './tests.ts';
import { TREES } from './trees.ts';
import { UNSEEN } from './unseen.ts';

/** Every case there is, family by family. */
export const CASES: readonly Case[] = expand({
  idle: IDLE,
  tests: TESTS,
  config: CONFIG,
  install: INSTALL,
  inside: INSIDE,
  deeper: DEEPER,
  masked: MASKED,
  aware: AWARE,
  answers: ANSWERS,
  git: GIT,
  trees: TREES,
  'proof-files': PROOF_FILES,
  judges: JUDGES,
  places: PLACES,
  'stand-ins': STAND_INS,
  regress: REGRESS,
  reviewers: REVIEWERS,
  'own-tests': OWN_TESTS,
  claims: CLAIMS,
  people: PEOPLE,
  quality: QUALITY,
  unseen: UNSEEN,
  honest: HONEST,
  kinds: KINDS,
  shapes: SHAPES,
  names: NAMES,
  suspects: SUSPECTS,
  impossible: IMPOSSIBLE,
});
