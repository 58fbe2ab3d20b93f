import { findSetting, type SettingNode } from './explain/json-schema.ts';
import { getCompletedDir } from './policy.ts';
import type { Config } from './sections/schema.ts';

/** A setting that is read and has no effect here, and why. */
export interface Notice {
  readonly field: string;
  readonly text: string;
}

/** Settings and sections of parts that are not built: nobody should believe that they do something. */
export const LATER: readonly (readonly [field: string, text: string])[] = [
  ['project.github_repo', 'issues are not mirrored yet, nothing is sent to GitHub'],
  ['github', 'issues are not mirrored yet, nothing is sent to GitHub'],
  ['convergence.max_qa_cycles', 'QA tasks are not told from others yet; convergence.stale_rounds counts'],
  ['convergence.max_rework_tasks', 'no task is added from what QA finds yet'],
];

/** What is set and does nothing, for those who start a run. */
export function getNotices(config: Config): readonly Notice[] {
  const later = LATER.flatMap(([field, text]) => {
    const path = field.split('.');
    const value = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], config);
    return listChanged(value, findSetting(path) ?? {}, field).map(changed => ({ field: changed, text }));
  });
  return [...later, ...getIdlePlans(config)];
}

/** Folders of plans beside a backlog that is not one of them. */
function getIdlePlans(config: Config): readonly Notice[] {
  const { paths, plan } = config;
  const named = `paths.features names the backlog, ${paths.features}`;
  const dir = plan.dir !== null && plan.dir !== paths.features;
  const completed = plan.completed_dir !== null && getCompletedDir(config) === null;
  return [
    ...(dir ? [{ field: 'plan.dir', text: named }] : []),
    ...(completed
      ? [
          {
            field: 'plan.completed_dir',
            text: `only plans move there, and ${dir ? named : `the backlog is ${paths.features}`}`,
          },
        ]
      : []),
  ];
}

/** The settings at or below a field that differ from what holds when nobody sets them. */
function listChanged(value: unknown, { properties, ...node }: SettingNode, field: string): readonly string[] {
  if (!properties) return JSON.stringify(value) === JSON.stringify(node.default) ? [] : [field];
  return Object.entries(properties).flatMap(([key, child]) =>
    listChanged((value as Record<string, unknown>)[key], child, `${field}.${key}`),
  );
}
