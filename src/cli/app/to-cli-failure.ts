import type {Command} from '@oclif/core'
import {CliFailure, isFileLimit, tooManyFiles} from '../../core/errors.js'
import {toFailure} from '../terminal/output.js'
import {isAboutTogether, toUsageFailure, type WrongArguments} from './usage-error.js'

const outputCodes = ['ENOSPC', 'EPIPE', 'EIO', 'EDQUOT']

/** Whatever was thrown, as a failure: a `CliFailure` as it is, an error of the parser as `usage`, anything else as unexpected. */
export function toCliFailure(error: unknown, command?: typeof Command): CliFailure {
  if (error instanceof CliFailure) return error
  if (!(error instanceof Error)) return unexpected(String(error), error)
  if (isFileLimit(error)) return tooManyFiles(error)
  const usage = toUsageFailure(error, command)
  if (usage) return usage
  const {code, syscall} = error as NodeJS.ErrnoException
  if (code && outputCodes.includes(code) && syscall === 'write') {
    const failure = toFailure(error)
    if (failure instanceof CliFailure) return failure
  }
  return unexpected(error.message, error)
}

export function toWrongArguments(error: unknown, command: typeof Command): WrongArguments {
  return {failure: toCliFailure(error, command), isTogether: isAboutTogether(error)}
}

function unexpected(message: string, cause: unknown): CliFailure {
  return new CliFailure(`Unexpected failure of the program: ${message}`, {
    code: 'UNEXPECTED',
    changed: 'unknown',
    retry: 'no',
    cause,
    hints: ['Run the command again with --verbose and report what it prints.'],
  })
}
