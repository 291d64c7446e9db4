import {BaseCommand} from '../app/base-command.js'
import type {LintFlagValues} from './lint-flags.js'

/** Checks a file as a write would, without profile, network or state. */
export abstract class LintCommand extends BaseCommand {
  protected async lint(file: string, flags: LintFlagValues): Promise<void> {
    const {LintWork} = await import('./lint-work.js')
    await new LintWork(this.context).lint(file, flags)
  }
}
