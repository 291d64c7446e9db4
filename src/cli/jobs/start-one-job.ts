import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {findJobs} from '../../jobs/file/find-jobs.js'
import {toArguments} from '../../jobs/file/job.js'
import {commandVariable, urlFileVariable, urlVariable} from '../../jobs/notify/channel.js'
import {beginJob} from '../../jobs/notify/job-starts.js'
import type {Program} from '../app/program.js'
import {readJobsText} from './jobs-file.js'
import {runOwn} from './run-own-command.js'

/** Variables with which `jobs run` does more than start a command. */
const asksMore = [
  ...['VENDORCTL_JSON', 'VENDORCTL_METRICS_FILE', 'GITHUB_STEP_SUMMARY'],
  ...[urlVariable, urlFileVariable, commandVariable],
]

/**
 * Runs one job that asks for nothing besides its command, without loading what commands are made of. Resolves with the exit
 * code; undefined, before anything was started, where `jobs run` has more to do or something to refuse.
 */
export async function startOneJob(
  args: readonly string[],
  program: Pick<Program, 'root' | 'commands'>,
): Promise<number | undefined> {
  const environment: Environment = {...process.env}
  const given = readPlain(args)
  if (!given || asksMore.some((name) => environment[name])) return undefined
  const run = findRun(given, environment)
  if (!run || !Object.hasOwn(program.commands, run.id)) return undefined
  const started = beginJob(run.job, () => stateFolder(environment))
  const {exitCode} = await runOwn({
    ...{root: program.root, name: given.name, environment: {...run.environment, ...started.environment}},
    args: [...run.id.split(':'), ...run.args],
  })
  started.end(exitCode)
  return exitCode
}

/** Arguments that are a name and at most `--jobs-file PATH`; undefined for any others. */
function readPlain(args: readonly string[]): {name: string; path: string | undefined} | undefined {
  const [name, flag, value, ...rest] = args
  if (name === undefined || name.startsWith('-') || rest.length > 0) return undefined
  if (flag === undefined) return {name, path: undefined}
  const isPath = flag === '--jobs-file' && value !== undefined && value !== '' && !value.startsWith('-')
  return isPath ? {name, path: value} : undefined
}

function findRun({name, path}: {name: string; path: string | undefined}, environment: Environment) {
  try {
    const [job] = findJobs([name], readJobsText(path ?? environment['VENDORCTL_JOBS_FILE'], environment))
    const asksLittle = job && !job.notify && job.flags['metrics-file'] === undefined
    return asksLittle ? {job, ...toArguments(job, environment)} : undefined
  } catch (error) {
    if (error instanceof CliFailure) return undefined
    throw error
  }
}
