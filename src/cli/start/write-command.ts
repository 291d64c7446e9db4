import type {ArgInput, FlagInput} from '@oclif/core/interfaces'
import {type WriteId, writeOperation} from '../../contract/index.js'
import {globalFlags} from '../app/flags.js'
import {chosenArgs, listOf, writeFlags} from '../write/write-flags.js'
import {BaseCommand} from './base-command.js'

export class WriteCommand extends BaseCommand {
  static override baseFlags = globalFlags // oclif looks for them no further than to a class without statics
  protected readonly write!: WriteId

  async run(): Promise<void> {
    const {args, flags} = await this.parse(this.ctor)
    const {writeFromFile} = await import('../write/write-from-file.js')
    await writeFromFile(this.write, flags, this.context, args['ids'])
  }
}

/** A command that sends the records of a file, or those that it chooses; its summary and its flags are those of the contract. */
export function writeCommand(id: WriteId): typeof WriteCommand {
  const operation = writeOperation(id)
  return class extends WriteCommand {
    static override summary = operation.about
    static override args: ArgInput = listOf(operation) ? chosenArgs : {}
    static override flags: FlagInput = writeFlags(id)
    protected override readonly write = id
  }
}
