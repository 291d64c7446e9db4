import {isAbsolute} from 'node:path'
import {splitWords} from '../words.js'
import {flagsOf, type Job, type JobProblem, type KnownCommand} from './job.js'

/** Files and programs of a job that depend on the folder in which it starts, which a scheduler chooses. */
export function findRelativePaths(job: Job, {flags = {}, args = {}}: KnownCommand): JobProblem[] {
  const names = Object.keys(args)
  const found = [
    ...flagsOf(job).flatMap(({name, value}) =>
      [value].flat().map((one) => ({name, key: `flags.${name}`, path: toPath(String(one), flags[name]?.helpValue)})),
    ),
    ...(job.args ?? []).map((path, index) => ({name: 'args', key: 'args', path: names[index] === 'file' ? path : ''})),
    {name: 'deliver', key: 'deliver', path: toProgram(job.deliver)},
    {name: 'notify', key: 'notify', path: toProgram(job.notify?.command)},
  ]
  return found
    .filter(({path}) => path !== '' && path !== '-' && !isAbsolute(path) && !path.startsWith('${'))
    .map(({name, key, path}) => ({
      ...(job.places[key] ?? job.place),
      job: job.name,
      message: `${name} is relative: ${path}; cron and systemd start a job in the home folder, so write the complete path`,
    }))
}

/** The path that the value of a flag is; empty where it is something else. */
function toPath(value: string, helpValue: string | readonly string[] = ''): string {
  const shown = [helpValue].flat().join(' ')
  if (/^(PATH|FILE)\b/.test(shown)) return value
  return shown.endsWith('|@FILE') && value.startsWith('@') ? value.slice(1) : ''
}

/** The program of a command where it is a path; others are found on `PATH`. */
function toProgram(command: string | string[] = ''): string {
  const [program = ''] = typeof command === 'string' && command !== '' ? splitWords(command, 'command') : command
  return /[/\\]/.test(program) ? program : ''
}
