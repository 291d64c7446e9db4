import type {FlagInput} from '@oclif/core/interfaces'
import {type ReadId, readOperation} from '../../contract/index.js'
import {globalFlags} from '../app/flags.js'
import {readFlags} from '../read/read-flags.js'
import {BaseCommand} from './base-command.js'

export class ReadCommand extends BaseCommand {
  static override baseFlags = globalFlags // oclif looks for them no further than to a class without statics
  protected readonly read!: ReadId

  async run(): Promise<void> {
    const {flags} = await this.parse(this.ctor)
    const {listRecords} = await import('../read/list-records.js')
    await listRecords(this.read, flags, this.context)
  }
}

/** A command that lists the records of one operation; its summary and its flags are those of the contract. */
export function readCommand(id: ReadId): typeof ReadCommand {
  return class extends ReadCommand {
    static override summary = readOperation(id).about
    static override flags: FlagInput = readFlags(id)
    protected override readonly read = id
  }
}
