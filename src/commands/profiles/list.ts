import {BaseCommand} from '../../cli/base-command.js'

export default class ProfilesList extends BaseCommand {
  static override summary = 'List the profiles of this machine.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    await this.parse(ProfilesList)
    const {Profiles} = await import('../../cli/profiles.js')
    const {simpleTable} = await import('../../cli/simple-table.js')
    const profiles = new Profiles(this.environment)
    const rows = profiles.names().map((name) => {
      const {baseUrl = '', stage = ''} = profiles.find(name) ?? {}
      return {name, current: name === (profiles.current ?? 'default'), baseUrl, stage}
    })

    if (rows.length === 0) this.messages.note('No profiles yet. Make one: vendorctl profiles set NAME baseUrl=URL')
    const lines = rows.map(({name, current, baseUrl, stage}) => [current ? '*' : '', name, baseUrl, stage])
    const text = rows.length > 0 ? await simpleTable(['current', 'name', 'baseUrl', 'stage'], lines) : undefined
    await this.present({data: rows, text})
  }
}
