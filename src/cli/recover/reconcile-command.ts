import {BaseCommand} from '../app/base-command.js'
import type {ReconcileFlags} from './reconcile-work.js'

/** Finds out what became of the sets of a run that are in doubt. */
export abstract class ReconcileCommand extends BaseCommand {
  protected async reconcile(id: string, flags: ReconcileFlags): Promise<void> {
    const {ReconcileWork} = await import('./reconcile-work.js')
    await new ReconcileWork(this.context).reconcile(id, flags)
  }
}
