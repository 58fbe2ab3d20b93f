import type { Prompts } from '../core/model/policy.ts';
import architect from './architect.md';
import cleanup from './cleanup.md';
import coding from './coding.md';
import continuation from './continuation.md';
import designer from './designer.md';
import feedback from './feedback.md';
import planner from './planner.md';
import review from './review.md';
import secondReader from './second-reader.md';
import summariser from './summariser.md';
import testAuthor from './test-author.md';

/** What agents are told when a project does not say otherwise; one Markdown file each. */
export const DEFAULT_PROMPTS: Prompts = {
  coding,
  continuation,
  feedback,
  'test-author': testAuthor,
  review,
  cleanup,
  planner,
  summariser,
  architect,
  designer,
  'second-reader': secondReader,
};
