import {resolve} from 'node:path'
import {CliFailure, entryOf} from '../../core/errors.js'
import {checkUnshared} from '../../core/owner-and-mode.js'
import {readPrivateFile} from '../../core/private-file.js'
import {counted} from '../../values/counted.js'
import {didYouMean} from '../../values/suggest.js'
import type {Job, JobProblem, KnownCommands, Recipe} from './job.js'
import {readJobs} from './read-jobs.js'

export type JobsFile = {path: string; jobs: Job[]; recipes: Recipe[]; problems: JobProblem[]}

const maximumBytes = 1024 * 1024

/**
 * Reads a jobs file; the names of commands and flags are checked where they are known. `isGiven`: the user named it.
 * Throws `usage` where there is none, and `unsafe` where others can change it, as it names what to run.
 */
export function readJobsAt(path: string, isGiven: boolean, known?: KnownCommands): JobsFile {
  const text = readPrivateFile(path, 'settings')
  if (text === undefined)
    throw new CliFailure(`There is no jobs file ${path}.`, {
      code: 'NO_JOB',
      hints: [
        ...(isGiven ? [] : ['Name another one with --jobs-file or VENDORCTL_JOBS_FILE.']),
        'See how to write one with: vendorctl help scheduling',
      ],
    })
  if (text.length > maximumBytes)
    throw new CliFailure(`${path} is larger than a jobs file can be (1 MB).`, {code: 'FILE_UNREADABLE'})
  checkUnshared(resolve(path), 'The jobs file', 'Or put it into a folder in which nobody else can write.')
  return {path, ...readJobs(text, path, known)}
}

/** The jobs of these names, in this order. Throws `usage` for an unknown one, `invalid` where one has a problem. */
export function findJobs(names: readonly string[], {path, jobs, problems}: JobsFile): Job[] {
  const general = problems.filter(isGeneral)
  if (general.length > 0) throw invalidJobs(path, general)
  const found = names.map((name) => {
    const job = jobs.find((each) => each.name === name)
    if (job) return job
    const known = jobs.map((each) => each.name)
    throw unknownName(`${path} has no job ${JSON.stringify(name)}; ${describeNames(jobs)}.`, name, known)
  })
  const own = problems.filter(({job}) => job !== undefined && names.includes(job))
  if (own.length > 0) throw invalidJobs(path, own)
  return found
}

/** Whether a problem concerns the complete file, so that nothing of it is used. */
function isGeneral({job, recipe}: JobProblem): boolean {
  return job === undefined && recipe === undefined
}

/** The recipe of a name. Throws `usage` for an unknown one, `invalid` where it has a problem. */
export function findRecipe(name: string, {path, recipes, problems}: JobsFile): Recipe {
  const wrong = problems.filter((problem) => isGeneral(problem) || problem.recipe === name)
  if (wrong.length > 0) throw invalidJobs(path, wrong)
  const found = recipes.find((recipe) => recipe.name === name)
  if (found) return found
  const names = recipes.map((recipe) => recipe.name)
  const known = names.length === 0 ? 'it has no recipes' : `known: ${names.join(', ')}`
  const other = 'Keep the flags of a write as one with: vendorctl import save NAME -- COMMAND FLAGS'
  throw unknownName(`${path} has no recipe ${JSON.stringify(name)}; ${known}.`, name, names, other)
}

/** The failure for a jobs file with problems, each with its place. */
export function invalidJobs(path: string, problems: readonly JobProblem[]): CliFailure {
  const entries = problems.map(({line, column, message}) =>
    entryOf('INVALID_JOBS', message, {file: path, line, column}),
  )
  return new CliFailure(`The jobs file has ${counted(problems.length, 'problem')}.`, {
    code: 'INVALID_JOBS',
    entries,
    hints: ['See its keys with: vendorctl contract show jobs'],
  })
}

/** `known: nightly, copy` */
export function describeNames(jobs: readonly Job[]): string {
  return jobs.length === 0 ? 'it has no jobs' : `known: ${jobs.map(({name}) => name).join(', ')}`
}

function unknownName(message: string, name: string, names: readonly string[], ...otherwise: string[]): CliFailure {
  const meant = didYouMean(name, names)
  return new CliFailure(message, {code: 'NO_JOB', hints: meant.length > 0 ? meant : otherwise})
}
