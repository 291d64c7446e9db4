import {writeFlags} from '../write/bulk-flags.js'
import {settleFlags} from './settle-flags.js'

const {
  rejects,
  results,
  annotations,
  overwrite,
  yes,
  confirm,
  'dry-run': dryRun,
  'max-records': maximumRecords,
  'until-quota': untilQuota,
  profile,
  stage,
  timeout,
  'max-requests': maximumRequests,
  'log-http': logHttp,
} = writeFlags

/** Flags of going on with a run: how its sets are sent, it knows itself. */
export const resumeFlags = {
  ...settleFlags,
  ...{rejects, results, annotations, overwrite, yes, confirm},
  ...{'dry-run': dryRun, 'max-records': maximumRecords, 'until-quota': untilQuota},
  ...{profile, stage, timeout, 'max-requests': maximumRequests, 'log-http': logHttp},
}
