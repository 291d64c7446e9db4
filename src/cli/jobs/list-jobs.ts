import {commandLine, flagText} from '../../core/command-line.js'
import type {FlagValue, Job} from '../../jobs/file/job.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {ownColumns} from '../read/own-columns.js'
import {presentRecords} from '../read/present-records.js'
import type {RecordFlags} from '../read/read-flags.js'
import {findProblems} from './check-jobs.js'
import {readJobsFile} from './jobs-file.js'
import type {JobsFlags} from './jobs-flags.js'

const columns = ownColumns(['name', 'command', 'profile', 'output', 'deliver', 'problems'], ['problems'])

/** The jobs of the jobs file, also of one with problems, which are counted. */
export async function listJobs(flags: JobsFlags & RecordFlags, context: CommandContext): Promise<void> {
  const file = await readJobsFile(flags, context)
  const {path, jobs} = file
  const problems = await findProblems(file, context.commands)
  const told = Map.groupBy(problems, ({job}) => job)
  if (problems.length > 0) context.caution(seeProblems(path, flags))
  await presentRecords(flags, context, {
    resource: 'job',
    columns,
    records: jobs.map((job) => toRecord(job, told.get(job.name)?.length ?? 0)),
  })
}

function seeProblems(path: string, flags: JobsFlags): string {
  return `${path} has problems; see them with: ${commandLine('jobs check', [], {'jobs-file': flags['jobs-file']})}`
}

const recipeColumns = ownColumns(['name', 'command', 'flags', 'problems'], ['problems'])

/** The recipes of the jobs file, with their flags as they would be typed. */
export async function listRecipes(flags: JobsFlags & RecordFlags, context: CommandContext): Promise<void> {
  const {path, recipes, problems} = await readJobsFile(flags, context)
  const told = Map.groupBy(problems, ({recipe}) => recipe)
  if (problems.length > 0) context.caution(seeProblems(path, flags))
  await presentRecords(flags, context, {
    resource: 'recipe',
    columns: recipeColumns,
    records: recipes.map(({name, command, flags: kept}) => ({
      ...{name, command, problems: told.get(name)?.length ?? 0},
      flags: Object.entries(kept).flatMap(flagWords).join(' '),
    })),
  })
}

function flagWords([name, value]: [string, FlagValue]): string[] {
  if (typeof value === 'boolean') return value ? [flagText(name, true)] : []
  return [value].flat().map((one) => flagText(name, String(one)))
}

function toRecord({name, command, args = [], profile, flags, deliver}: Job, problems: number): JsonRecord {
  return {
    name,
    command: [command, ...args].join(' '),
    profile: profile ?? null,
    output: String(flags['output-file'] ?? '') || null,
    deliver: [deliver ?? []].flat().join(' ') || null,
    problems,
  }
}
