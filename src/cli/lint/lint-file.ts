import {keepMemoryFlatFor} from '../../core/flat-memory.js'
import {refuseSamePaths} from '../../formats/files/file-steps.js'
import {isWorkbook} from '../../formats/names.js'
import {type CheckedFile, checkFile} from '../../runs/check/check-file.js'
import {type Fix, fixFile, toCopyOptions} from '../../runs/check/fix-file.js'
import {isForItsRows, toEntry} from '../../runs/check/invalid-input.js'
import type {ReportFile} from '../../runs/check/report-file.js'
import type {Problem} from '../../validate/problem.js'
import {counted, thousands} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {renderFailure} from '../app/messages.js'
import {toInputOptions} from '../write/input-options.js'
import {countProblems, lintHints, renderProblems} from '../write/render-problems.js'
import type {LintFlags} from './lint-flags.js'

/** Checks a file as a write would, without profile, network or state, and fixes a copy of it on request. */
export async function lintFile(file: string, flags: LintFlags, context: CommandContext): Promise<void> {
  keepMemoryFlatFor(file)
  const {operation, fix, report, overwrite = false} = flags
  await refuseSamePaths({FILE: file, '--fix': fix, '--report': report})
  const options = {...(await toInputOptions(operation, flags)), signal: context.signal}
  if (fix === undefined) return checkAndReport({...options, file}, flags, context)
  const fixes = await fixFile(operation, {...options, file, out: fix, overwrite}).catch((error: unknown) => {
    if (report === undefined || file === '-' || !isForItsRows(error)) throw error
    context.messages.note(error.message)
  })
  if (!fixes) return checkAndReport({...options, file}, flags, context)
  reportFixes(fix, fixes, context)
  return checkAndReport({...toCopyOptions(options), file: fix, signal: context.signal}, flags, context, fixes)
}

/** Checks a file, and writes the report that is asked for once all problems are known. */
async function checkAndReport(
  options: Parameters<typeof checkFile>[1],
  flags: LintFlags,
  context: CommandContext,
  fixes?: readonly Fix[],
): Promise<void> {
  const {operation, report: out, overwrite = false} = flags
  if (out === undefined) return conclude(await checkFile(operation, options), flags, context, fixes)
  const {openReport} = await import('../../runs/check/report-file.js')
  const report = await openReport(operation, {...options, out, overwrite})
  try {
    const checked = await checkFile(operation, {...options, ...report.options})
    if (!checked.broken) context.messages.note(await writeReport(report, checked, out))
    else context.caution(`${out} was not written, because ${checked.file} cannot be read to its end`)
    await conclude(checked, flags, context, fixes)
  } finally {
    await report.discard()
  }
}

async function writeReport(report: ReportFile, checked: CheckedFile, out: string): Promise<string> {
  const bad = await report.write(checked)
  return `Wrote ${out}: ${counted(checked.rows, 'row')}, ${bad === 0 ? 'none' : thousands(bad)} with problems.`
}

function reportFixes(path: string, fixes: readonly Fix[], {messages}: CommandContext): void {
  for (const {column, fix, count} of fixes) {
    const times = count === 1 ? '' : ` (${thousands(count)} times)`
    messages.note(`fixed: ${column === '' ? '' : `${column}: `}${fix}${times}`)
  }

  messages.note(
    `Wrote ${path}: ${fixes.length === 0 ? 'nothing to fix' : 'fixed'}${isWorkbook(path) ? '' : '; UTF-8, LF'}.`,
  )
}

async function conclude(
  checked: CheckedFile,
  flags: LintFlags,
  {messages, caution, present}: CommandContext,
  fixes?: readonly Fix[],
): Promise<void> {
  const {operation, match, lookup, 'fail-on-warning': failOnWarning} = flags
  const {file, rows, problems, notices, remarks, broken} = checked
  const errors = problems.filter(({severity}) => severity === 'error')
  const warnings = problems.length - errors.length
  const entries = [...errors.map(toEntry), ...(broken?.entries ?? [])]
  const isBad = entries.length > 0 || (failOnWarning === true && warnings > 0)
  messages.tell(renderProblems(problems))
  if (broken) messages.tell(renderFailure(broken, process.stderr))
  for (const notice of notices) caution(notice)
  messages.note(remarks)
  if (match ?? lookup)
    messages.note('The columns of --match and --lookup were checked; only the write looks for the records.')
  messages.note(`${file}: ${countAll(checked)} in ${counted(rows, 'row')} for ${operation}.`)
  if (flags.fix === undefined && flags.report === undefined && !broken)
    messages.note(
      lintHints({operation, file: file === 'stdin' ? '-' : file, flags, problems}).map((hint) => `→ ${hint}`),
    )
  await present({
    data: {
      file,
      operation,
      rows,
      errors: entries.length,
      warnings,
      problems: problems.map(toData),
      ...(fixes && {fixes: fixes as unknown as JsonValue}),
    },
    exit: isBad ? 'invalid' : 'ok',
    errors: entries,
  })
}

function toData({file: _file, kind: _kind, note: _note, write, ...problem}: Problem): JsonValue {
  return {...problem, ...(write && {write: [...write]})}
}

function countAll({problems, broken}: CheckedFile): string {
  const count = countProblems(problems)
  return broken ? `${count} up to the place where it cannot be read any further,` : count
}
