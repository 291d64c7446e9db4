import {CliFailure} from '../../core/errors.js'
import type {InputSource} from '../../runs/check/input-source.js'
import {lockBeginning} from '../../runs/journal/run-folder.js'
import type {Plan} from '../../runs/plan/plan.js'
import type {RunOptions} from '../../runs/send/run-plan.js'
import {createRecognition, type Recognition, type RecognitionOptions} from './recognition.js'
import {type HeldRecord, runFolderOf, startRecord, type Told} from './run-record.js'

export type RunKeeperOptions = Omit<RecognitionOptions, 'inputDigest'> & {
  command: string
  source: Pick<InputSource, 'digest'>
}

/** What a write remembers: the rows that earlier runs applied, and its own record. */
export type RunKeeper = Required<Pick<RunOptions, 'recognise' | 'record'>> & {
  /** Name of the run, once there is one. */
  readonly runId: string | undefined
  refuseRepeated: Recognition['refuseRepeated']
  /** Lets others work on the runs; with what the user was told, once that is so. */
  close(told?: Told): void
}

export function createRunKeeper({command, source, ...options}: RunKeeperOptions): RunKeeper {
  const recognition = createRecognition({...options, inputDigest: source.digest})
  let record: HeldRecord | undefined

  return {
    recognise: recognition.recognise,
    refuseRepeated: recognition.refuseRepeated,
    get runId() {
      return record?.id
    },
    record(plan) {
      const beginning = lockBeginning(runFolderOf(options.environment))
      try {
        record = start(plan, recognition.beginning(plan))
      } finally {
        beginning.release()
      }

      recognition.begun(record.id, plan)
      return record
    },
    close(told) {
      recognition.close()
      closeQuietly(record, told)
    },
  }

  function start(plan: Plan, continues: readonly string[]): HeldRecord {
    const {flags, environment, lazy} = options
    const inputDigest = plan.applies ? plan.applies.inputDigest : plan.format && source.digest()
    return startRecord(plan, {command, environment, flags, opened: lazy.require(), inputDigest, continues})
  }
}

/** The user knows already how the run ended: a disk that does not take that any more only lets it count as open. */
function closeQuietly(record: HeldRecord | undefined, told: Told | undefined): void {
  try {
    record?.close(told)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
  }
}
