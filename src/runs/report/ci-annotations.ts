import {createHash} from 'node:crypto'
import {isAbsolute, relative, resolve, sep} from 'node:path'
import {exitCodeOf} from '../../contract/index.js'
import type {Environment} from '../../core/environment.js'
import type {ErrorEntry} from '../../core/errors.js'
import {escapeData, toSafeText} from '../../formats/safe-text.js'
import {type JsonValue, printJson} from '../../values/json.js'

const linesShown = 50

/** Entries as the workflow commands of GitHub: `::error file=sites.csv,line=3,col=5,title=CODE::message`. */
export function toWorkflowCommands(entries: readonly ErrorEntry[], environment: Environment): string[] {
  return entries.slice(0, linesShown).map(({file, line, column, code, message}) => {
    const isFile = file !== undefined && file !== 'stdin'
    const properties = [
      ['file', isFile ? toPath(file, environment['GITHUB_WORKSPACE']) : undefined],
      ['line', isFile ? line : undefined],
      ['col', isFile ? column : undefined],
      ['title', code],
    ].filter(([, value]) => value !== undefined)
    return `::error ${properties.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join()}::${toData(message)}`
  })
}

/** Control characters other than line ends are shown. */
function toData(text: string): string {
  return toSafeText(escapeData(text))
}

function escapeProperty(text: string): string {
  return toData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Entries as a Code Quality report of GitLab. */
export function toCodeQuality(entries: readonly ErrorEntry[], environment: Environment, inputFile: string): string {
  const seen = new Map<string, number>()
  const issues = entries.map((entry): JsonValue => {
    const {code, message, line = 1, column, file = inputFile} = entry
    const path = toPath(file, environment['CI_PROJECT_DIR'])
    const text = [code, path, line, column ?? '', message].join('\n')
    const count = (seen.get(text) ?? 0) + 1
    seen.set(text, count)
    return {
      description: message,
      check_name: code,
      fingerprint: createHash('sha256').update(`${text}\n${count}`).digest('hex'),
      severity: severityOf(entry),
      location: {path, lines: {begin: line}},
    }
  })
  return `${printJson(issues, 2)}\n`
}

function severityOf({exit}: ErrorEntry): string {
  if (exit === exitCodeOf('inDoubt').code) return 'critical'
  return exit === exitCodeOf('invalid').code || exit === exitCodeOf('refused').code ? 'major' : 'minor'
}

/** The path below the folder of the project, where the file is in it. */
function toPath(file: string, project: string | undefined): string {
  if (project === undefined || project === '') return file
  const path = relative(project, resolve(file))
  return path.startsWith('..') || isAbsolute(path) ? file : path.split(sep).join('/')
}
