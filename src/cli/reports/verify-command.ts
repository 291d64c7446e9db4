import {BaseCommand} from '../app/base-command.js'
import type {VerifyFlags} from './verify-work.js'

/** Looks at an exported file: against its manifest, and against the service. */
export abstract class VerifyCommand extends BaseCommand {
  protected async verify(file: string, flags: VerifyFlags): Promise<void> {
    const {VerifyWork} = await import('./verify-work.js')
    await new VerifyWork(this.context).verify(file, flags)
  }
}
