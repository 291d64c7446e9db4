import {Command, type Config} from '@oclif/core'
import type {Input, ParserOutput} from '@oclif/core/interfaces'
import {describeUnconfirmed, exitCodeOf, findOperationOf} from '../../contract/index.js'
import {type CliFailure, type ErrorEntry, toEntries} from '../../core/errors.js'
import type {Measures} from '../../jobs/metrics/step-summary.js'
import type {Named} from '../../settings/name-source.js'
import {isOn} from '../../values/truth.js'
import type {CommandContext, Presented} from '../app/command-context.js'
import {globalFlags} from '../app/flags.js'
import {createMessages, forScheduler, isMailed, type Messages, renderFailure} from '../app/messages.js'
import type {CommandClass, CommandStart} from '../app/program.js'
import {beforeDashes, type Flags, settleParsed, toArguments, wantsJson} from '../app/read-arguments.js'
import {toCliFailure, toWrongArguments} from '../app/usage-error.js'
import {dataOutput, findLostMessages, standardOutput} from '../terminal/output.js'
import {PipeClosed, resultPrinted, stopSignal} from '../terminal/signals.js'

type Values = Record<string, unknown>

type Constructor = new (args: string[], config: Config) => BaseCommand

/** The base of all commands: the envelope, messages, and failures with their exit codes. */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags

  protected environment: CommandStart['environment'] = {}
  #started: CommandStart | undefined
  protected messages: Messages = createMessages({quiet: false, verbose: false})
  readonly #warnings: string[] = []
  #named: Named = {}
  #isMailed = false
  readonly #measured: (() => Measures)[] = []
  readonly #endings: (() => Promise<void>)[] = []
  #errors: readonly ErrorEntry[] = []
  #flags: Values | undefined

  /** Runs the command with the arguments after its name. */
  static async start(this: Constructor, started: CommandStart): Promise<void> {
    const command = new this(started.args, started.config)
    command.environment = started.environment
    command.#started = started
    await command._run()
  }

  /** Why the arguments after the name of the command are wrong; undefined when they are not. Runs nothing. */
  static async check(
    this: Constructor,
    {args, config}: Pick<CommandStart, 'args' | 'config'>,
  ): ReturnType<CommandClass['check']> {
    const command = new this(args, config)
    command.messages = createMessages({quiet: true, verbose: false})
    try {
      await command.parse(command.ctor)
      return undefined
    } catch (error) {
      return toWrongArguments(error, command.ctor)
    }
  }

  override async init(): Promise<void> {
    await super.init()
    const has = (...names: string[]) => beforeDashes(this.argv).some((each) => names.includes(each))
    const quiet = has('--quiet', '-q') || isOn(this.environment['VENDORCTL_QUIET'])
    const verbose = has('--verbose', '-v') || isOn(this.environment['VENDORCTL_VERBOSE'])
    const job = this.environment['VENDORCTL_JOB']
    this.#isMailed = isMailed(job, verbose)
    this.messages = forScheduler(job, verbose, createMessages({quiet, verbose}))
    if (has('--no-color') || isOn(this.environment['VENDORCTL_NO_COLOR'])) process.env['NO_COLOR'] = '1'
  }

  /** Reads the arguments and the variables of flags. Throws `usage` where one of them is empty or unclear. */
  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Input<F, B, A>,
    args?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const {environment, commandName: command} = this
    const given = toArguments(args ?? this.argv, this.#known, {environment, command})
    const asked = options && withInherited(options)
    const parsed = await super.parse(asked, given)
    settleParsed(parsed, this.#known)
    const {profile, stage}: Values = parsed.flags
    this.#named = {profile, stage}
    this.#flags = parsed.flags
    const unconfirmed = describeUnconfirmed(findOperationOf(this.commandName))
    if (unconfirmed !== undefined) this.messages.detail(unconfirmed)
    return parsed
  }

  override jsonEnabled(): boolean {
    return wantsJson(this.argv, this.environment)
  }

  /** Tools for the function of the command. */
  protected get context(): CommandContext {
    if (!this.#started) throw new TypeError(`${this.id} was not started`)
    const {commands, environment, clock, envelope} = this.#started
    return {
      ...{commands, environment, clock},
      signal: stopSignal(),
      messages: this.messages,
      version: this.config.version,
      commandName: this.commandName,
      isJson: this.jsonEnabled(),
      isMailed: this.#isMailed,
      envelope: this.jsonEnabled() ? envelope : undefined,
      caution: (text) => this.caution(text),
      measure: (measures) => this.#measured.push(measures),
      atEnd: (work) => this.#endings.push(work),
      present: (presented) => this.present(presented),
    }
  }

  /** Shows a warning once, on standard error and in the envelope. */
  protected caution(text: string): void {
    if (this.#warnings.includes(text)) return
    this.#warnings.push(text)
    this.messages.note(`warning: ${text}`)
  }

  /** Warnings of the parser, such as that a flag has another name now. */
  override warn<Input extends string | Error>(input: Input): Input {
    this.caution(input instanceof Error ? input.message : input)
    return input
  }

  /** Ends the command: prints its data or its envelope and sets the exit code. */
  protected async present({data, text, meta = {}, exit = 'ok', errors = [], runId}: Presented): Promise<void> {
    process.exitCode = exitCodeOf(exit).code
    this.#errors = errors
    this.#measured.push(() => meta)
    if (!this.jsonEnabled()) {
      if (text !== undefined && !(this.#isMailed && exit === 'ok')) await standardOutput.write(text)
      resultPrinted()
      return
    }
    const lost = exit === 'ok' ? await findLostMessages() : undefined
    if (lost) process.exitCode = lost.exitCode
    const ending = lost ? {exit: lost.exit, errors: toEntries(lost)} : {exit, errors}
    const all = {data, meta, runId, warnings: this.#warnings, ...ending}
    for (const piece of this.#started?.envelope.close(all) ?? []) await dataOutput.write(piece)
  }

  override async catch(error: unknown): Promise<void> {
    if (error instanceof PipeClosed) {
      process.exitCode = 0
      return
    }
    const {advise} = await import('./end-command.js')
    const {commandName: command, argv: args, environment} = this
    const given = {command, named: this.#named, flags: this.#known, args, environment}
    const failure = await advise(toCliFailure(error, this.ctor), given)
    this.#errors = toEntries(failure)
    this.#measured.push(() => ({next: failure.hints}))
    const isWrite = ['yes', 'body'].some((flag) => flag in (this.ctor.flags ?? {})) // of bulk writes, and of `api`
    this.messages.tell(renderFailure(failure, process.stderr, isWrite))
    resultPrinted()
    if (failure.code === 'UNEXPECTED') this.messages.detail(String((error as Error).stack).split('\n'))
    await this.#presentFailure(failure)
    process.exitCode = failure.exitCode
  }

  async #presentFailure(failure: CliFailure): Promise<void> {
    if (!this.jsonEnabled()) return
    try {
      await this.present({data: null, exit: failure.exit, errors: toEntries(failure)})
    } catch {
      // The failure was printed on standard error; a closed or full standard output changes nothing about it.
    }
  }

  /** Records how a run ended where a scheduler reads it: in a metrics file, in the summary of a workflow. */
  protected override async finally(): Promise<void> {
    for (const end of this.#endings) await end()
    const known = this.#known
    if (!process.send && this.#errors.length === 0 && !('metrics-file' in known)) return
    const {recordCommandEnd} = await import('./end-command.js')
    const ended = {args: this.argv, known, flags: this.#flags, errors: this.#errors, measured: this.#measured}
    await recordCommandEnd(ended, this.context)
  }

  get #known(): Flags {
    return {...this.ctor.baseFlags, ...this.ctor.flags}
  }

  /** Name of the command, such as `sites create`. */
  protected get commandName(): string {
    return (this.id ?? '').replaceAll(':', ' ')
  }
}

/** Options of a parser with what a class inherits: of a class, oclif reads the own arguments alone. */
function withInherited<F extends Values, B extends Values, A extends Values>(options: Input<F, B, A>): Input<F, B, A> {
  const {args, flags, baseFlags} = options
  return {...options, ...(args && {args}), ...(flags && {flags}), ...(baseFlags && {baseFlags})}
}
