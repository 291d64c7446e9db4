import type {RunFacts} from '../../runs/journal/run-facts.js'
import type {RunReport} from '../../runs/report/report.js'
import type {RunOptions} from '../../runs/send/run-plan.js'
import type {Undo} from '../../runs/undo/plan-undo.js'
import {checkUndo, undoRun} from '../../runs/undo/undo-run.js'
import {thousands} from '../../values/thousands.js'
import type {OpenedClient} from '../client/open-client.js'
import {type OpenedRun, openClientOfRun, openRun} from '../runs/open-run.js'
import type {WriteFlagValues} from '../write/bulk-consent.js'
import {BulkWork} from '../write/bulk-work.js'
import {renderChanges} from '../write/render-diff.js'
import type {WorkTools} from '../write/work.js'
import {findUndoers} from './find-undoers.js'
import {describeUndo} from './render-undo.js'

export type UndoFlagValues = WriteFlagValues & {'skip-changed'?: boolean | undefined}

const changesShown = 50

/** Takes a run back: the fields that it changed, where nobody changed them since. */
export class UndoWork extends BulkWork {
  #facts: RunFacts | undefined

  async undo(text: string, flags: UndoFlagValues): Promise<void> {
    const run = openRun(this.environment, text)
    try {
      const {facts, plan} = run.loaded
      checkUndo(run.loaded)
      this.#facts = facts
      const target = {...flags, profile: flags.profile ?? facts.profile, stage: flags.stage ?? facts.stage}
      await this.runBulk(plan.operation, target, (options, tools) => this.#work(run, target, options, tools))
    } finally {
      run.close()
    }
  }

  protected override openWriteClient(flags: WriteFlagValues): Promise<OpenedClient> {
    if (!this.#facts) throw new TypeError('no run is being undone')
    return openClientOfRun(this.#facts, flags, this.environment, this.messages)
  }

  #work(run: OpenedRun, flags: UndoFlagValues, options: RunOptions, {progress}: WorkTools): Promise<RunReport> {
    const {journal, loaded, folder} = run
    const {record} = options
    return undoRun(journal, loaded, {
      ...options,
      setSize: flags['set-size'],
      canary: flags.canary,
      skipChanged: flags['skip-changed'],
      takenBack: findUndoers(folder, loaded.facts),
      onPlan: async (undo) => {
        progress.pause()
        await this.#tellUndo(undo, options.dryRun === true)
      },
      ...(record && {
        record: (plan) => {
          const made = record(plan)
          journal.learn({undoneBy: [...(loaded.facts.undoneBy ?? []), made.id]})
          return made
        },
      }),
    })
  }

  /** What goes back and what does not, before anybody is asked; a dry run shows the changes as its output. */
  async #tellUndo(undo: Undo, isDryRun: boolean): Promise<void> {
    const {id, undoes} = this.#facts ?? {}
    if (undoes !== undefined)
      this.caution(`run ${id} took back run ${undoes}: to undo it makes the changes of ${undoes} again`)
    for (const text of describeUndo(undo)) this.caution(text)
    const {comparison} = undo.plan
    if (isDryRun || !comparison || undo.plan.sets.length === 0) return
    const {changes} = comparison
    this.tellAbove({safe: (await renderChanges(changes.slice(0, changesShown))).trimEnd()})
    const more = changes.length - changesShown
    if (more > 0) this.tellAbove(`… and ${thousands(more)} more changes (--dry-run shows all)`)
  }
}
