import {existsSync} from 'node:fs'
import {commandLine, flagText} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {suggest} from '../../values/suggest.js'
import type {NamedExport} from './list-named.js'
import {registerHints} from './register-tables.js'

/** Tells the filters of a name apart. */
export function shortScope({scope}: Pick<NamedExport, 'scope'>): string {
  return scope.slice(0, 8)
}

/** The command that runs a name again. */
export function runOfName({name, facts}: Pick<NamedExport, 'name' | 'facts'>): string {
  if (facts.run === undefined) return commandLine('reports transactions …', [], {'since-last': name})
  return `vendorctl ${facts.run}`
}

/** Its next run into a file of its own, where that of the last run is there and would be refused. */
function nextRunOf(named: NamedExport): string {
  const run = runOfName(named)
  const {facts, last} = named
  const word = flagText('output-file', last?.file ?? '')
  if (!last?.file || facts.isAppended || !run.includes(word) || !existsSync(last.file)) return run
  if (run.includes(' --overwrite')) return run
  const other = last.file.replace(/(\.[^./\\]+(\.gz)?)?$/, '-{date}-{time}$&')
  return run.replace(word, () => flagText('output-file', other))
}

/** The action of the next run of a name, and the command that runs it. */
export function nextOfName(named: NamedExport): string {
  const {name, state, facts, mark, file, announced, isUnshared, holder = ''} = named
  const run = runOfName({name, facts})
  if (announced && state !== 'running' && state !== 'unfinished')
    return `The next run records ${announced.path} if it can see that file, or reads its range again: ${run}`
  switch (state) {
    case 'running':
      return `Wait: another run is reading it${holder}.`
    case 'unfinished':
      return `The next run finishes ${file?.path} first, then reads on: ${run}`
    case 'lost':
      return `The service sent fields that have no column; name them with --columns and start over: ${run} --fresh`
    case 'damaged':
      return file?.state === 'damaged'
        ? `Its checkpoint cannot be read; start over: ${run} --fresh`
        : registerHints.join()
    case 'newer':
      return 'Finish it with the version of vendorctl that wrote it, or a later one.'
    default:
      return isUnshared
        ? `Its mark is on this machine only; move it into the shared store: ${commandLine('exports share', [name])}`
        : `The next run ${nextDelivery(named)}reads ${fromWhere(mark)}: ${nextRunOf(named)}`
  }
}

/** Start of the next run; of a mark that machines share only its end may be known here. */
export function fromWhere(mark: NamedExport['mark']): string {
  return mark && !mark.nextStart
    ? 'on from the mark that machines share'
    : `from ${mark?.nextStart ?? 'its --start'} on`
}

function nextDelivery({facts, undelivered}: NamedExport): string {
  if (!undelivered.some(({state}) => state === 'outstanding')) return ''
  return facts.isDelivered ? 'delivers what is outstanding, then ' : 'delivers nothing without --deliver and '
}

/** Exports under a name: one for each choice of filters and columns. Throws `usage` when there is none. */
export function findNamed(all: readonly NamedExport[], name: string, scope = ''): NamedExport[] {
  const found = all.filter((one) => one.name === name && one.scope.startsWith(scope))
  if (found.length > 0) return found
  const names = all.map((one) => one.name)
  const near = suggest(name, names)
  const what = scope === '' ? `by the name ${name}` : `by the name ${name} in the scope ${scope}`
  throw new CliFailure(`Nothing was read ${what}.`, {
    code: 'NO_WATERMARK',
    hints: [
      ...(near === undefined || near === name ? [] : [`Did you mean ${near}?`]),
      `List all names: ${commandLine('exports list')}`,
    ],
  })
}

/** The one export of a name. Throws `usage` when the name was used with several filters and none is chosen. */
export function findOneNamed(all: readonly NamedExport[], name: string, scope?: string): NamedExport {
  const found = findNamed(all, name, scope)
  const [only] = found
  if (only && found.length === 1) return only
  throw new CliFailure(`${name} was used with several filters, services or columns; choose one with --scope.`, {
    code: 'NAME_AMBIGUOUS',
    hints: found.map((one) => `--scope ${shortScope(one)}: ${describeScope(one)}`),
  })
}

function describeScope({facts, mark}: NamedExport): string {
  const {command, profile, baseUrl, stage, filters} = facts
  const what = [command, profile && `profile ${profile}`, baseUrl && `${baseUrl} (${stage})`, filters].filter(Boolean)
  return [...what, `mark ${mark?.at ?? 'none'}`].join(', ')
}

/** The kept part of a file that was not finished. */
export function describeLeft({file}: Pick<NamedExport, 'file'>): string {
  if (file?.isSealed) return 'all of it is read; only its name or its mark is missing'
  if (file?.rows === undefined) return 'its checkpoint cannot be read now'
  return `${counted(file.rows, 'row')} kept in ${file.path}.part`
}
