import {CliFailure} from '../../src/core/errors.js'

/** The `CliFailure` that a call throws; fails when it throws anything else, or nothing. */
export function failureOfCall(call: () => unknown): CliFailure {
  try {
    call()
  } catch (error) {
    if (error instanceof CliFailure) return error
    throw error
  }

  throw new Error('nothing was thrown')
}

/** The same for work that takes time. */
export async function failureOf(work: Promise<unknown>): Promise<CliFailure> {
  try {
    await work
  } catch (error) {
    if (error instanceof CliFailure) return error
    throw error
  }

  throw new Error('nothing was thrown')
}
