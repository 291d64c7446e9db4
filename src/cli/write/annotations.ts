import {createHash} from 'node:crypto'
import {isAbsolute, relative, resolve, sep} from 'node:path'
import {exitCodeOf} from '../../contract/index.js'
import type {CliFailure, ErrorEntry} from '../../core/errors.js'
import {type AtomicFile, openAtomicFile} from '../../formats/files/atomic-file.js'
import {toSafeText} from '../../formats/safe-text.js'
import {toFailure} from '../../runs/report/row-copies.js'
import {type JsonValue, printJson} from '../../values/json.js'
import type {Environment} from '../app/environment.js'
import {escapeData} from '../terminal/error-output.js'

const linesShown = 50

export type AnnotationFlags = {
  file?: string | undefined
  annotations?: string | undefined
  overwrite?: boolean | undefined
}

/** Shows a CI system what is wrong in which line. */
export type Annotations = {
  /**
   * Says what is wrong, where it is printed in groups; the first call is the one that counts. Gives back why the report
   * could not be written, if it could not.
   */
  say(entries: readonly ErrorEntry[], groups?: readonly ErrorEntry[]): Promise<CliFailure[]>
  discard(): Promise<void>
}

/**
 * GitHub reads annotations from what is printed; GitLab from a report, which is opened here and written also when there
 * is nothing to tell. Throws a `CliFailure` when it cannot be written.
 */
export async function openAnnotations(
  {file = '-', annotations: path, overwrite = false}: AnnotationFlags,
  environment: Environment,
  print: (text: string) => void,
): Promise<Annotations> {
  const report = path === undefined ? undefined : await openAtomicFile(path, {overwrite})
  let isSaid = false
  return {
    async say(entries, groups = entries) {
      if (isSaid) return []
      isSaid = true
      const isWorkflow = environment['GITHUB_ACTIONS'] === 'true'
      for (const command of isWorkflow ? toWorkflowCommands(groups, environment) : []) print(command)
      if (!report) return []
      return writeWhole(report, async () => toCodeQuality(entries, environment, file === '-' ? 'stdin' : file))
    },
    discard: async () => report?.discard(),
  }
}

/** Writes a file about a run that has ended. Gives back why it could not, if so: the rows are what they are. */
export async function writeWhole(file: AtomicFile, toText: () => Promise<string>): Promise<CliFailure[]> {
  try {
    await file.write(await toText())
    await file.commit()
    return []
  } catch (error) {
    return [toFailure(error)]
  }
}

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
