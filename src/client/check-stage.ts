import {type Stage, stageOf} from '../contract/index.js'
import {CliFailure} from '../core/errors.js'

/** Throws a `CliFailure` (usage) when a stage has no bulk requests, or no sessions where the operation needs them. */
export function checkStage(stage: Stage, {command, since}: {command: string; since: Stage}): void {
  const {bulk, sessions} = stageOf(stage)
  if (!bulk)
    throw new CliFailure(`Stage ${stage} has no bulk requests, so "${command}" cannot run on it.`, {
      code: 'STAGE_WITHOUT_BULK',
      hints: ['Use --stage v2.1 (or v2, rc). The raw command still works here: vendorctl api GET /machines --stage v1'],
    })
  if (!sessions && stageOf(since).sessions)
    throw new CliFailure(`Stage ${stage} has no sessions, so "${command}" cannot run on it.`, {
      code: 'STAGE_WITHOUT_SESSIONS',
      hints: ['Use --stage v2.1 (or rc).'],
    })
}
