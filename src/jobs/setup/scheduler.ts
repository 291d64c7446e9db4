import {readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {shellQuote} from '../../core/command-line.js'
import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {writePrivateFile} from '../../core/private-file.js'
import {errorCodeOf, toFileFailure} from '../../formats/files/file-failure.js'
import type {TimeOfDay} from './schedule.js'

/** The program that a scheduler starts every day, and its identity. */
export type Schedule = {
  /** Name of the job. */
  name: string
  at: TimeOfDay
  /** The program by its absolute path, and its arguments. */
  program: readonly string[]
  /** Variables that the scheduler would not set by itself, such as PATH. */
  environment: Readonly<Record<string, string>>
  /** The command that makes the same text again. */
  madeBy: string
}

/** Facts about a job for a scheduler. */
export type Subject = Schedule & {
  /** Absolute path of the jobs file. */
  jobsFile: string
  profile: string | undefined
  /** Path of the file that the job writes, which may contain `{date}`. */
  output: string | undefined
  /** Image of the program with its tag, for Kubernetes; else empty. */
  image: string
  /** Whether it writes to the service. */
  writes: boolean
  /** Whether its file is handed over. */
  delivers: boolean
  /** Notices of its relative paths. */
  relative: readonly string[]
  /** Names of the variables that the jobs file mentions. */
  variables: readonly string[]
  /** The time zone of this machine. */
  zone: string
  now: number
  /** Version of the program. */
  version: string
  /** The variables of this shell. */
  shell: Environment
}

/** A text for a scheduler, and what to do with it, a step a line. */
export type Shown = {text: string; advice: string[]}

/** State of a job in a scheduler, its place, and further steps, one a line. */
export type Outcome = {
  did: 'installed' | 'replaced' | 'unchanged' | 'removed' | 'absent'
  where: string
  /** The former entry, where it was replaced. */
  before?: string
  advice: string[]
}

export type Scheduler = {
  show: (subject: Subject) => Shown
  install: (subject: Subject) => Outcome
  remove: (name: string, shell: Environment) => Outcome
}

/** A file that a scheduler reads. */
export type SetupFile = {name: string; text: string}

/** The first lines of a generated file; the very first marks it as the file of a job. */
export function headOf({name, madeBy}: Pick<Schedule, 'name' | 'madeBy'>): string[] {
  return [`# vendorctl job ${name}`, `# Made by: ${madeBy}`]
}

/**
 * A template with the value of each `{{name}}`. A line that is nothing else becomes the lines of the value, with its
 * indentation, and none where the value is empty.
 */
export function fill(template: string, values: Readonly<Record<string, string | readonly string[]>>): string {
  const textOf = (name: string) => [values[name] ?? ''].flat().join('\n')
  const toLines = (text: string, indent: string) =>
    `${text.replace(/^(?=.)/gm, indent)}${text === '' || text.endsWith('\n') ? '' : '\n'}`
  return template.replace(/^( *)\{\{(\w+)\}\}\n|\{\{(\w+)\}\}/gm, (_, indent: string, lines?: string, word = '') =>
    lines === undefined ? textOf(word) : toLines(textOf(lines), indent),
  )
}

/**
 * Writes the files of a job. Throws `usage`, and writes none, where one would replace a file that was not made for it;
 * `before` is the command that made an earlier file.
 */
export function writeMade(folder: string, job: string, files: readonly SetupFile[]): Pick<Outcome, 'did' | 'before'> {
  const before = files.map(({name}) => readMade(join(folder, name), job))
  if (files.every(({text}, index) => text === before[index])) return {did: 'unchanged'}
  for (const {name, text} of files) attempt(join(folder, name), (path) => writePrivateFile(path, text))
  const old = before.find((text) => text !== undefined)
  return old === undefined ? {did: 'installed'} : {did: 'replaced', before: old.split('\n')[1] ?? ''}
}

/** The paths of files that were made for a job. Throws `usage` at one that was not. */
export function findMade(folder: string, job: string, names: readonly string[]): string[] {
  return names.map((name) => join(folder, name)).filter((path) => readMade(path, job) !== undefined)
}

export function removeFiles(paths: readonly string[]): void {
  for (const path of paths) attempt(path, () => rmSync(path))
}

/**
 * The text of a file that an earlier setup made; undefined where there is none. Throws `usage` at one not made for this
 * job.
 */
function readMade(path: string, job: string): string | undefined {
  const text = attempt(path, () => readFileSync(path, 'utf8'), 'ENOENT')
  if (text === undefined || text.startsWith(`# vendorctl job ${job}\n`)) return text
  throw new CliFailure(`${path} was not made for job ${job}; it is not changed.`, {
    code: 'FILE_EXISTS',
    hints: [`Look at it, and move it away if it is not needed: ls -l ${shellQuote(path)}`],
  })
}

function attempt<Result>(path: string, step: (path: string) => Result, harmless?: string): Result | undefined {
  try {
    return step(path)
  } catch (error) {
    if (errorCodeOf(error) === harmless) return undefined
    throw toFileFailure(error, path)
  }
}
