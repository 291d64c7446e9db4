import {toTimeText} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {toSafeText} from '../../formats/safe-text.js'
import type {Salvaged} from '../../runs/journal/salvage.js'
import {counted} from '../../values/counted.js'

/** What can still be read of a damaged journal, for people. */
export function renderSalvaged(id: string, {facts, outcome, parts, isWhole}: Salvaged): string {
  const place =
    facts && `${facts.command} from ${facts.file}, profile ${facts.profile}, started ${toTimeText(facts.createdAt)}`
  return `${[
    `Run ${id}: its journal is damaged. Below is what can still be read; none of it is proven.`,
    toSafeText(place ?? 'What it was cannot be read.'),
    outcome ? `It ended: ${outcome.exit}, ${countRows(outcome.rows)}` : 'How it ended cannot be read.',
    ...parts.map(({set, rows, state}) => `  set ${set}, ${counted(rows, 'row')}: ${state}`),
    ...(isWhole ? [] : ['  … further sets cannot be read.']),
    'Whoever goes on must read the records back from the service: this journal cannot say which rows were applied.',
    `When you know, set it aside: ${commandLine('runs remove', [id], {damaged: true})}`,
  ].join('\n')}\n`
}

function countRows(rows: Readonly<Record<string, number>>): string {
  return Object.entries(rows)
    .map(([fate, count]) => `${fate} ${count}`)
    .join(' · ')
}
