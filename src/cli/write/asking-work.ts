import {writeOperation} from '../../contract/index.js'
import {type Comparison, compareKnown} from '../../runs/plan/compare.js'
import type {Known, Plan} from '../../runs/plan/plan.js'
import {CommandWork} from '../app/command-work.js'
import {type Line, toText} from '../app/messages.js'
import type {Around} from '../terminal/prompt.js'
import {renderChanges} from './render-diff.js'
import {describeComparison} from './render-plan.js'
import {describeWarnings} from './render-problems.js'

/** Work that asks before it writes, and keeps what stands above the question. */
export abstract class AskingWork extends CommandWork {
  readonly #above = new Set<Line>()

  protected inform({warnings, notices, remarks = []}: Known): void {
    for (const warning of describeWarnings(warnings)) this.caution(warning)
    for (const notice of notices) this.caution(notice)
    for (const remark of remarks) this.tellAbove(remark)
  }

  protected override caution(text: string): void {
    super.caution(text)
    this.#above.add(`warning: ${text}`)
  }

  /** Shows, once, what a person must know before agreeing, also on a terminal that standard error does not lead to. */
  protected tellAbove(text: Line): void {
    if (this.#above.has(text)) return
    this.messages.note(text)
    this.#above.add(text)
  }

  /** What a plan would change in the records as they were read; undefined where it makes new ones. */
  protected compare(plan: Plan): Comparison | undefined {
    if (plan.comparison || !plan.preimages || writeOperation(plan.operation).body === 'create') return plan.comparison
    const rows = plan.sets.flatMap(({places}) => places.flatMap((place) => plan.rows[place] ?? []))
    return compareKnown({...plan, rows})
  }

  /** What stands above the question about a plan, and every change for whoever wants to see them. */
  protected aroundQuestion(plan: Plan, quiet = false): Around {
    const comparison = this.compare(plan)
    const counts = comparison ? describeComparison({operation: plan.operation, comparison, entries: []}) : []
    for (const text of counts) this.tellAbove(text)
    const {changes = []} = comparison ?? {}
    const details = changes.length === 0 ? undefined : async () => toText([{safe: await renderChanges(changes)}])
    return {above: toText([...this.#above]), isShown: !quiet, details}
  }
}
