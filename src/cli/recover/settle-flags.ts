import {Flags} from '@oclif/core'
import {environmentName as env} from '../app/flags.js'
import {FlagValueError} from '../app/usage-error.js'

const longestSeconds = 900
const usualSeconds = 120

/** How long to look for rows in doubt. */
export const settleFlag = Flags.custom<number>({
  env: env('settle'),
  helpGroup: 'DOUBT',
  helpValue: 'SECONDS',
  description: `Time after a lost response until rows that are not found count as not applied; by default that of the write, or ${usualSeconds}.`,
  parse: async (text) => toSeconds(text),
})()

/** For writes. */
export const freshFlag = Flags.boolean({
  env: env('fresh'),
  helpGroup: 'SENDING',
  description: 'Ignore earlier runs: also send rows that they applied.',
})

/** Flags of what reconciles a run. */
export const settleFlags = {
  settle: settleFlag,
  'resend-after-settle': Flags.boolean({
    env: env('resend-after-settle'),
    helpGroup: 'DOUBT',
    description: 'Resend alerts that were not found by then, although a delayed first copy would duplicate them.',
  }),
}

function toSeconds(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== '' && seconds >= 0 && seconds <= longestSeconds) return seconds
  throw new FlagValueError(`--settle is not a number of seconds up to ${longestSeconds}: "${text}".`)
}

/** The settle time in milliseconds. */
export function toSettleMilliseconds({settle}: {settle?: number | undefined}): number | undefined {
  return settle === undefined ? undefined : settle * 1000
}
