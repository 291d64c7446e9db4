import type {RunReport} from '../../runs/report/report.js'
import type {RunOptions} from '../../runs/send/run-plan.js'
import type {Progress} from '../terminal/progress.js'
import type {RunFiles} from './run-files.js'

/** Runs a plan, wherever its records come from. */
export type Work = (options: RunOptions, tools: WorkTools) => Promise<RunReport>

export type WorkTools = {client: RunOptions['client']; progress: Progress; through: RunFiles['source']['through']}
