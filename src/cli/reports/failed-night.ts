import type {Environment} from '../../core/environment.js'
import {CliFailure} from '../../core/errors.js'
import {stateFolder} from '../../core/folders.js'
import {listNamed, type NamedExport} from '../../reports/register/list-named.js'
import {describeLeft, nextOfName} from '../../reports/register/named-steps.js'
import type {CommandContext} from '../app/command-context.js'
import {forScheduler, type Messages} from '../app/messages.js'
import {runAgain} from './export-commands.js'

type Night = {
  /** Name given to `--since-last`. */
  name: string
  /** The arguments of this run, by which it is told from others of its name. */
  run: string
}

/** The context of a run that a scheduler may have started; `tellOfNight` reports the state of an incomplete name. */
type NightContext = {context: CommandContext; tellOfNight(): void}

/**
 * Runs work with messages for schedulers. When a run of `--since-last` ends early, reports how far its name is
 * complete, what is kept, and what its next run does, all from the disk, as the next run will find it.
 */
export async function asNight(
  flags: {'since-last'?: string | undefined; verbose?: boolean | undefined},
  given: CommandContext,
  work: (night: NightContext) => Promise<void>,
): Promise<void> {
  const name = flags['since-last']
  const context = {...given, messages: forScheduler(name, flags.verbose, given.messages)}
  const {environment, messages} = context
  const night = name === undefined ? undefined : {name, run: runAgain(context.commandName, flags)}
  const tellOfNight = () => {
    const named = night && findNight(night, environment)
    if (named) messages.tell([describeNight(named), `→ ${nextOfName(named)}`])
  }
  try {
    await work({context, tellOfNight})
  } catch (error) {
    throw night ? nameNight(error, night, environment, messages) : error
  }
}

/** Reports the state of a name beside a failure, and hints at the next run unless that would fail in the same way. */
function nameNight(error: unknown, night: Night, environment: Environment, {tell}: Pick<Messages, 'tell'>): unknown {
  const isNew = error instanceof CliFailure && error.code === 'NO_WATERMARK'
  const named = isNew ? undefined : findNight(night, environment)
  if (!named) return error
  tell(describeNight(named))
  const isAgain = error instanceof CliFailure && error.exit !== 'usage' && named.state !== 'running'
  if (isAgain) error.hints.push(nextOfName(named))
  return error
}

/** The marks of the export that failed; undefined where there are none, or they cannot be read. */
function findNight({name, run}: Night, environment: Environment): NamedExport | undefined {
  try {
    const all = listNamed(stateFolder(environment)).filter((one) => one.name === name)
    return all.find(({facts}) => facts.run === run) ?? (all.length === 1 ? all[0] : undefined)
  } catch {
    return undefined
  }
}

function describeNight(named: NamedExport): string {
  const {name, mark, state, file, facts, holder = ''} = named
  const what = `${facts.isList ? 'List' : 'Export'} ${name}`
  const upTo = mark ? `is complete up to ${mark.at}` : 'has no complete run yet'
  if (state === 'running') return `${what} ${upTo}; another run is reading it${holder}.`
  return `${what} ${upTo}; ${file ? `${file.path} is unfinished: ${describeLeft(named)}` : 'nothing is unfinished'}.`
}
