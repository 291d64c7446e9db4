import {type ExitName, exitCodeOf} from '../../contract/index.js'
import {CliFailure, entryOf} from '../../core/errors.js'
import {defined} from '../../values/defined.js'
import {simpleTable} from '../terminal/simple-table.js'

/** One check of `doctor`; `ok` is null where it was not run. */
type Check = {name: string; ok: boolean | null; text: string; fix?: string | undefined; exit?: ExitName | undefined}

/** Findings of a check for people, and for the checks that follow; `ok` unless given. */
export type Answer<Found = unknown> = Omit<Check, 'name' | 'ok'> & {ok?: false; found?: Found}

/** The checks that are always listed, in their order; those without a result as not run. */
const usualChecks = [
  ...['config folder', 'state folder', 'service', 'proxy', 'name', 'credentials', 'ledger'],
  ...['API key', 'login', 'read', 'page ceiling', 'paths'],
]

/** The checks of one run of `doctor`. */
export class Examination {
  readonly #checks: Check[] = []

  /**
   * Runs a check, and returns what it found: undefined where it failed, or does not apply. A failure is the result of its
   * check, with what `advise` makes of it, and stops no other.
   */
  async check<Found>(
    name: string,
    run: () => Answer<Found> | Promise<Answer<Found> | undefined>,
    advise: (failure: CliFailure) => Promise<CliFailure> = async (failure) => failure,
  ): Promise<Found | undefined> {
    try {
      const answered = await run()
      if (!answered) return undefined
      const {ok = true, found, ...answer} = answered
      this.#checks.push({name, ok, ...answer})
      return found
    } catch (error) {
      if (!(error instanceof CliFailure)) throw error
      const {hints} = await advise(error)
      const [fix] = hints.map(withoutDoctor).filter((hint) => hint !== '')
      this.#checks.push({name, ok: false, text: error.message, fix, exit: error.exit})
      return undefined
    }
  }

  /** The result of a check; undefined where it was not run. */
  find(name: string): Check | undefined {
    return this.#checks.find((check) => check.name === name)
  }

  /** All checks as a table, as data, and as errors. */
  async toPresented() {
    const checks = [...this.#checks, ...this.#notRun()]
    const failed = checks.filter(({ok}) => ok === false)
    const rows = checks.map(({name, ok, text, fix = ''}) => [states[`${ok}`], name, text, fix])
    return {
      data: checks.map(({name, ok, text, fix}) => ({name, ok, text, fix: fix ?? null})),
      text: await simpleTable(['', 'check', 'found', 'fix'], rows),
      exit: failed[0]?.exit ?? (failed.length > 0 ? 'failure' : 'ok'),
      errors: failed.map(toEntry),
    } as const
  }

  /** The checks that were not reached, with the failure that prevented them. */
  #notRun(): Check[] {
    const cause = this.#checks.findLast(({ok}) => ok === false)
    const isKnown = (name: string) =>
      this.#checks.some((one) => one.name === name || one.name.startsWith(`${name} by `))
    const text = `not run: first fix "${cause?.name}"`
    return usualChecks.filter((name) => !isKnown(name)).map((name) => ({name, ok: null, text}))
  }
}

const states = {true: 'ok', false: 'failed', null: 'not run'} as const

function toEntry({name, text, fix, exit = 'failure'}: Check) {
  const {code} = exitCodeOf(exit)
  return entryOf('CHECK_FAILED', `${name}: ${text}`, {exit: code, ...defined({hint: fix})})
}

/** A hint without the part that sends people to `doctor`, which they are running already. */
function withoutDoctor(hint: string): string {
  const rest = hint.replace(/(,? (or|and) |\b)(look closer|look for the cause|find out) with: vendorctl doctor$/i, '')
  return rest === hint || rest.trim() === '' || rest.endsWith('.') ? rest.trim() : `${rest.trim()}.`
}
