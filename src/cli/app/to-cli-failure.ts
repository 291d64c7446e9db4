import type {Command} from '@oclif/core'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, isFileLimit, tooManyFiles} from '../../core/errors.js'
import {suggest} from '../../values/suggest.js'
import {toFailure} from '../terminal/output.js'
import {sayParserError} from './parser-words.js'

type ParseError = Error & {flags?: string[]; args?: unknown[]; oclif?: {exit?: number}; parse?: unknown}

const outputCodes = ['ENOSPC', 'EPIPE', 'EIO', 'EDQUOT']

/** Whatever was thrown, as a failure: ours as it is, the parser's as `usage`, anything else as unexpected. */
export function toCliFailure(error: unknown, command?: typeof Command): CliFailure {
  if (error instanceof CliFailure) return withoutParser(error)
  if (!(error instanceof Error)) return unexpected(String(error), error)
  if (isFileLimit(error)) return tooManyFiles(error)
  if (isParseError(error)) return toUsage(error, command)
  const {code, syscall} = error as NodeJS.ErrnoException
  if (code && outputCodes.includes(code) && syscall === 'write') {
    const failure = toFailure(error)
    if (failure instanceof CliFailure) return failure
  }
  return unexpected(error.message, error)
}

/** The parser puts words of its own around what a flag says of its value. */
function withoutParser(failure: CliFailure): CliFailure {
  if (failure.message.startsWith('Parsing --')) failure.message = sayParserError(failure).replace(/^--\S+: /, '')
  return failure
}

function isParseError(error: Error): error is ParseError {
  return (error as ParseError).parse !== undefined || (error as ParseError).oclif !== undefined
}

function toUsage(error: ParseError, command: typeof Command | undefined): CliFailure {
  const unknown = error.flags?.[0]
  const nearest = unknown ? findFlag(unknown, command) : undefined
  const id = command?.id?.replaceAll(':', ' ') ?? ''
  return new CliFailure(unknown ? `Unknown flag ${error.flags?.join(', ')}.` : sayParserError(error), {
    code: 'USAGE',
    exit: 'usage',
    hints: [nearest ? `Did you mean --${nearest}?` : '', `See: ${commandLine(id, [], {help: true})}`].filter(Boolean),
  })
}

function findFlag(unknown: string, command: typeof Command | undefined): string | undefined {
  const known = Object.keys({...command?.baseFlags, ...command?.flags})
  return suggest(unknown.replace(/^-+/, '').replace(/=.*$/, ''), [...known, 'help'])
}

function unexpected(message: string, cause: unknown): CliFailure {
  return new CliFailure(`Unexpected failure of the program: ${message}`, {
    code: 'UNEXPECTED',
    exit: 'failure',
    changed: 'unknown',
    retry: 'no',
    cause,
    hints: ['Run the command again with --verbose and report what it prints.'],
  })
}
