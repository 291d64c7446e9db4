import {stripVTControlCharacters} from 'node:util'
import {type Command, Errors} from '@oclif/core'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, isFileLimit, tooManyFiles, usage} from '../../core/errors.js'
import {pictureFormats} from '../../formats/names.js'
import {suggest} from '../../values/suggest.js'
import {toFailure} from '../terminal/output.js'
import {unmarkText} from './read-arguments.js'

type CommandClass = typeof Command | undefined

type Argument = {name?: string; description?: string}

/** A value that a flag of this program does not accept; the message names the flag. */
export class FlagValueError extends Error {
  readonly failure: CliFailure

  constructor(message: string) {
    super(message)
    this.failure = usage(message) // the parser writes over the message of the error itself
  }
}

/** The reason why arguments are wrong: one of them by itself, or missing ones and some that exclude each other. */
export type WrongArguments = {failure: CliFailure; isTogether: boolean}

/** An error of the parser, by its class, as `usage`; undefined for any other error. */
function toUsageFailure(error: Error, command: CommandClass): CliFailure | undefined {
  if (error instanceof FlagValueError) return error.failure
  if (!(error instanceof Errors.CLIError)) return undefined
  const {flags: unknown = [], args = []} = error as {flags?: string[]; args?: unknown[]}
  const help = `See: ${commandLine(command?.id?.replaceAll(':', ' ') ?? '', [], {help: true})}`
  const {name} = error.constructor
  if (name === 'NonExistentFlagsError')
    return usage(`Unknown flag ${unknown.join(', ')}.`, ...suggestFlag(unknown[0], command), help)
  if (name === 'RequiredArgsError') return usage(sayMissing(args as Argument[]), help)
  if (name === 'UnexpectedArgsError') return usage(`Unexpected argument: ${args.join(', ')}`, help)
  if (name === 'FailedFlagValidationError') return usage(sayInvalid(error), help)
  if (name === 'FlagInvalidOptionError')
    return usage(toSentence(linesOf(error).join(': ')), ...hintsOfPicture(error), help)
  return usage(toSentence(linesOf(error).join(': ')), help)
}

/** Names the command that draws pictures, for commands that do not. */
export const pictureHint = `Pictures of the transaction report: ${commandLine('reports summary', [], {help: true})}`

/** The parser names the flag and its value in its message alone. */
function hintsOfPicture({message}: Error): string[] {
  return pictureFormats.some((format) => message.includes(`--output=${format} `)) ? [pictureHint] : []
}

function suggestFlag(unknown = '', command: CommandClass): string[] {
  const known = Object.keys({...command?.baseFlags, ...command?.flags})
  const nearest = suggest(unknown.replace(/^-+/, '').replace(/=.*$/, ''), [...known, 'help'])
  return nearest ? [`Did you mean --${nearest}?`] : []
}

function sayMissing(missing: readonly Argument[]): string {
  const named = missing.map(({name = '', description = ''}) => {
    const about = description.replace(/\.$/, '')
    return `${name.toUpperCase()}${about && ` (${about})`}`
  })
  return `Missing argument${missing.length === 1 ? '' : 's'}: ${named.join(', ')}`
}

type Parsed = {input?: {flags?: CommandFlags}; output?: {flags?: Readonly<Record<string, unknown>>}}
type CommandFlags = Readonly<Record<string, {dependsOn?: readonly string[]}>>

/** Flags without those that they need; the parser's sentences where it is about anything else. */
function sayInvalid(error: Error): string {
  const {input, output} = (error as {parse?: Parsed}).parse ?? {}
  const given = output?.flags ?? {}
  const lacking = Object.entries(input?.flags ?? {}).flatMap(([name, {dependsOn = []}]) => {
    const missing = dependsOn.filter((other) => given[other] === undefined).map((other) => `--${other}`)
    return given[name] === undefined || missing.length === 0 ? [] : [`--${name} needs ${missing.join(' and ')}.`]
  })
  const reasons = linesOf(error).slice(1) // the first line counts the others
  return (lacking.length === reasons.length ? lacking : reasons.map(toSentence)).join(' ')
}

/** The lines of the parser's message without the last, which points to --help where there is more than one. */
function linesOf({message}: Error): string[] {
  const lines = stripVTControlCharacters(unmarkText(message)).split('\n')
  return lines.slice(0, Math.max(1, lines.length - 1)).map((line) => line.trim())
}

function toSentence(text: string): string {
  return /[.:?!]$/.test(text) ? text : `${text}.`
}

const outputCodes = ['ENOSPC', 'EPIPE', 'EIO', 'EDQUOT']

/** Any thrown value as a failure: a `CliFailure` unchanged, an error of the parser as `usage`, others as unexpected. */
export function toCliFailure(error: unknown, command?: typeof Command): CliFailure {
  if (error instanceof CliFailure) return error
  if (!(error instanceof Error)) return unexpected(String(error), error)
  if (isFileLimit(error)) return tooManyFiles(error)
  const usage = toUsageFailure(error, command)
  if (usage) return usage
  const {code, syscall} = error as NodeJS.ErrnoException
  if (syscall === 'uv_cwd')
    return new CliFailure('The current folder was removed.', {
      code: 'FOLDER_MISSING',
      hints: ['Change to another folder, or give the path from the root on.'],
    })
  if (code && outputCodes.includes(code) && syscall === 'write') {
    const failure = toFailure(error)
    if (failure instanceof CliFailure) return failure
  }
  return unexpected(error.message, error)
}

export function toWrongArguments(error: unknown, command: typeof Command): WrongArguments {
  return {
    failure: toCliFailure(error, command),
    isTogether:
      error instanceof Errors.CLIError &&
      ['FailedFlagValidationError', 'RequiredArgsError'].includes(error.constructor.name),
  }
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
