import {findRun} from '../../activities/what-ran.js'
import type {Environment} from '../../core/environment.js'
import {stateFolder} from '../../core/folders.js'
import {type RunFolder, runsFolder} from '../../core/run-id.js'
import {type OpenedRun, openRun} from '../../runs/journal/load-run.js'
import type {ApprovalRules} from '../../runs/plan/check-approval.js'
import type {Resolved} from '../../settings/settings.js'

/** The folder of the journals of this user. */
export function runFolderOf(environment: Environment): RunFolder {
  return runsFolder(stateFolder(environment))
}

/** The rules of the profile for approvals of plans. */
export function approvalRulesOf({profile, values}: Resolved, environment: Environment): ApprovalRules {
  const {approval, approvers} = values
  const folder = () => stateFolder(environment)
  return {profile, demands: approval.value, approvers: approvers.value, stateFolder: folder}
}

export type {OpenedRun}

/** Opens and locks the bulk write that a text names. Throws `usage`, `locked` or `storage`. */
export function openNamed(environment: Environment, text: string): OpenedRun {
  const folder = runFolderOf(environment)
  return openRun(folder, findRun(folder, text))
}
