import {readCommand} from '../../cli/start/read-command.js'

export default class MachinesList extends readCommand('machines.list') {
  static override examples = [
    '<%= config.bin %> <%= command.id %> --site 12,13 --columns id,name,lastHeartBeat.server',
    '<%= config.bin %> <%= command.id %> --machine @machines.txt -o csv',
  ]
}
