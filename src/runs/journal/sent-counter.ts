import {closeSync, constants, fsyncSync, openSync, readFileSync, writeSync} from 'node:fs'
import {stateFailure} from '../../core/state-failure.js'
import {checksum} from '../../core/state-file.js'
import type {RunFacts} from './journal-entries.js'

/** Operation and service that a run writes to. */
export type RunTarget = Pick<RunFacts, 'operation' | 'baseUrl' | 'stage'>

/** The sent counter beside a journal. */
export type SentCounter = {sent: number; target: RunTarget}

const digits = 12

export function counterPath(runPath: string): string {
  return `${runPath}-sent`
}

/**
 * Counts the sent requests of a run beside its journal, with the target of the run: a journal that was rolled back, emptied
 * or lost would send its sets a second time. Written after the journal and before the request. Throws `storage`.
 */
export function writeSentCounter(runPath: string, target: RunTarget, sent: number, {isNew = false} = {}): void {
  const {operation, baseUrl, stage} = target
  // the same length for every count, so that one write replaces the last one
  const text = withCheck(`${String(sent).padStart(digits, '0')}\n${JSON.stringify({operation, baseUrl, stage})}`)
  const flags = constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | (isNew ? constants.O_CREAT : 0)
  try {
    const file = openSync(counterPath(runPath), flags, 0o600)
    try {
      writeSync(file, text, 0)
      if (isNew) fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw stateFailure(error, 'The sent counter of a run', counterPath(runPath))
  }
}

/** Undefined where it is missing or damaged; one that is being written is read again. */
export function readSentCounter(runPath: string): SentCounter | undefined {
  return read(runPath) ?? read(runPath)
}

function read(runPath: string): SentCounter | undefined {
  try {
    const text = readFileSync(counterPath(runPath), 'utf8')
    const [count = '', target = ''] = text.split('\n')
    if (text !== withCheck(`${count}\n${target}`)) return undefined
    return {sent: Number(count), target: JSON.parse(target) as RunTarget}
  } catch {
    return undefined
  }
}

function withCheck(text: string): string {
  return `${text}\n${checksum(text).toString(16).padStart(8, '0')}\n`
}
