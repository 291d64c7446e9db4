import type {Stage, StageRow} from './base/grammar.js'

/** The deployed versions of the service and what each can do. [seed] */
export const stages = {
  rc: {bulk: true, sessions: true, about: 'Early access to the next release; may break.'},
  v1: {bulk: false, sessions: false, about: 'Original production release, without standard request bodies.'},
  v2: {bulk: true, sessions: false, about: 'Standard request bodies, templating, roles and rights.'},
  'v2.1': {bulk: true, sessions: true, about: 'v2 with sessions and files; the most current version.'},
} as const satisfies Record<Stage, StageRow>

/** "The most current version is recommended." [seed] */
export const defaultStage = 'v2.1' satisfies Stage
