import {type CheckedFile, checkFile} from '../../runs/check/check-file.js'
import {mendFile} from '../../runs/check/fix-file.js'
import type {Mend} from '../../runs/check/fix-rows.js'
import {toEntry} from '../../runs/check/invalid-input.js'
import {counted} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import {thousands} from '../../values/thousands.js'
import {CommandWork} from '../app/command-work.js'
import {renderFailure} from '../app/render-failure.js'
import {stopSignal} from '../app/signals.js'
import {keepMemoryFlatFor} from '../read/flat-memory.js'
import {toInputOptions} from '../write/input-options.js'
import {countProblems, renderProblems} from '../write/render-problems.js'
import type {LintFlagValues} from './lint-flags.js'

/** Checks a file as a write would, without profile, network or state. */
export class LintWork extends CommandWork {
  async lint(file: string, flags: LintFlagValues): Promise<void> {
    keepMemoryFlatFor(file)
    const {operation, fix, overwrite = false} = flags
    const options = {...(await toInputOptions(flags)), signal: stopSignal}
    if (fix === undefined) return this.#conclude(await checkFile(operation, {...options, file}), flags)
    const mends = await mendFile(operation, {...options, file, out: fix, overwrite})
    this.#tellMends(fix, mends)
    const {empty, unknownColumns, allowDamage, signal} = options
    return this.#conclude(
      await checkFile(operation, {file: fix, empty, unknownColumns, allowDamage, signal}),
      flags,
      mends,
    )
  }

  #tellMends(path: string, mends: readonly Mend[]): void {
    for (const {column, mend, count} of mends) {
      const times = count === 1 ? '' : ` (${thousands(count)} times)`
      this.messages.note(`mended: ${column === '' ? '' : `${column}: `}${mend}${times}`)
    }

    this.messages.note(`Wrote ${path}: ${mends.length === 0 ? 'nothing to mend' : 'mended'}; UTF-8, LF.`)
  }

  async #conclude(checked: CheckedFile, flags: LintFlagValues, mends?: readonly Mend[]): Promise<void> {
    const {file, rows, problems, notices, remarks, broken} = checked
    const errors = problems.filter(({severity}) => severity === 'error')
    const warnings = problems.length - errors.length
    const entries = [...errors.map(toEntry), ...(broken?.entries ?? [])]
    const isBad = entries.length > 0 || (flags['fail-on-warning'] === true && warnings > 0)
    const ordered = problems.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
    this.messages.tell(renderProblems(ordered))
    if (broken) this.messages.tell(renderFailure(broken, process.stderr))
    for (const notice of notices) this.caution(notice)
    this.messages.note(remarks)
    this.messages.note(`${file}: ${this.#count(checked)} in ${counted(rows, 'row')} for ${flags.operation}.`)
    await this.present({
      data: {
        file,
        operation: flags.operation,
        rows,
        errors: entries.length,
        warnings,
        problems: ordered.map(({file: _file, ...problem}) => problem),
        ...(mends && {mends: mends as unknown as JsonValue}),
      },
      exit: isBad ? 'invalid' : 'ok',
      errors: entries,
    })
  }

  #count({problems, broken}: CheckedFile): string {
    return broken ? `${countProblems(problems)}, and a place from which it cannot be read on,` : countProblems(problems)
  }
}
