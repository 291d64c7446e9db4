import {Flags} from '@oclif/core'
import {clientFlags, type FlagValues, type globalFlags, grouped, named} from '../app/flags.js'
import {metricsFlags, notifyFlags} from '../jobs/jobs-flags.js'
import {planFlags, settleFlags} from '../write/sending-flags.js'
import {confirmCount, sharedWriteFlags, type WriteFlags} from '../write/write-flags.js'

/** Flags of `runs reconcile`. */
export const reconcileFlags = grouped('DOUBT', {
  ...clientFlags,
  ...settleFlags,
  assume: Flags.string({
    options: ['applied', 'not-applied'],
    description: 'Record your own decision for every set in doubt; nothing is read or sent.',
  }),
  'dry-run': Flags.boolean({char: 'n', description: 'Look once, show what would be done, and change nothing.'}),
  yes: Flags.boolean({char: 'y', description: 'Skip the confirmation.'}),
  'confirm-count': confirmCount,
})

const {rejects, results, annotations, overwrite, yes, confirm, profile, stage, timeout} = sharedWriteFlags
const {'run-page': runPage, 'dry-run': dryRun, 'max-records': maxRecords, 'until-quota': untilQuota} = sharedWriteFlags
const {'max-requests': maxRequests, 'log-http': logHttp} = sharedWriteFlags

/** Flags of `runs resume`: how the sets are sent, the run knows itself. */
export const resumeFlags = {
  ...settleFlags,
  ...{rejects, results, annotations, 'run-page': runPage, overwrite, yes, confirm},
  'confirm-count': confirmCount,
  ...{'dry-run': dryRun, 'max-records': maxRecords, 'until-quota': untilQuota},
  ...{profile, stage, timeout, 'max-requests': maxRequests, 'log-http': logHttp},
  ...metricsFlags,
  ...notifyFlags,
}

/** Flags of `runs undo`. */
export const undoFlags = named({
  'skip-changed': Flags.boolean({
    helpGroup: 'SENDING',
    description: 'Skip rows that somebody changed since the run, and undo the others.',
  }),
  ...sharedWriteFlags,
  ...planFlags,
  'confirm-count': confirmCount,
})

export type ReconcileFlags = FlagValues<typeof reconcileFlags & typeof globalFlags>
export type ResumeFlags = WriteFlags & FlagValues<typeof settleFlags>
export type UndoFlags = WriteFlags & FlagValues<Pick<typeof undoFlags, 'skip-changed'>>
