import {BaseCommand} from '../../cli/start/base-command.js'
import {writeFlags} from '../../cli/write/write-flags.js'

export default class RoleRightsCreate extends BaseCommand {
  static override summary = 'Create role rights from a file.'
  static override description = 'The file has the columns roleId, rightId, canView, canEdit and canExecute.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --file rights.csv --dry-run',
    '<%= config.bin %> <%= command.id %> --file rights.csv --yes',
  ]
  static override flags = writeFlags('role-rights.create')

  async run(): Promise<void> {
    const {flags} = await this.parse(RoleRightsCreate)
    const {writeFromFile} = await import('../../cli/write/write-from-file.js')
    await writeFromFile('role-rights.create', flags, this.context)
  }
}
