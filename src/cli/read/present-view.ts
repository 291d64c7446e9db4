import {version} from '../../core/version.js'
import type {TextPage} from '../../formats/write/html/text-page.js'
import type {CommandContext, Presented} from '../app/command-context.js'
import type {ViewFormat} from '../app/flags.js'
import {asShown} from '../terminal/output.js'
import {refuseTerminal} from './format-of.js'
import {renderView, viewOf} from './render-view.js'
import {type TargetFlags, withTarget} from './text-target.js'

export type ViewFlags = Omit<TargetFlags, 'output'> & {output?: ViewFormat | undefined}

export type View = {
  /** `safe`: needs no escaping for a terminal. */
  text: () => string | {safe: string} | Promise<string | {safe: string}>
  page: () => TextPage
  /** The most bytes of the view as Markdown. */
  mostBytes: number
}

/** Ends a command that shows one thing, as text or as a page. */
export async function presentView(
  flags: ViewFlags,
  context: CommandContext,
  presented: Presented,
  {text, page, mostBytes}: View,
): Promise<void> {
  const output = viewOf(flags)
  await withTarget({...flags, output}, context, async (target) => {
    const {path} = target
    if (path === undefined && context.isJson) return context.present(presented)
    if (output === 'html') refuseTerminal(output, path)
    const shown = output === 'table' ? await text() : await renderView(output, page(), mostBytes)
    const isSafe = typeof shown !== 'string'
    if (path === undefined) return context.present({...presented, text: isSafe ? shown.safe : asShown(shown)})
    await target.write(isSafe ? shown.safe : shown)
    await target.commit()
    await context.present(presented)
  })
}

/** Ends a command that shows a text; as a page, its lines are paragraphs. */
export async function presentText(
  flags: ViewFlags,
  context: CommandContext,
  {text = '', ...shown}: Presented,
): Promise<void> {
  const [title = '', ...texts] = text.trimEnd().split('\n')
  const facts = [['vendorctl', version()]] as const
  const page = () => ({title, facts, sections: [{title: 'What is known', texts}], footer: []})
  const view = {text: () => text, page, mostBytes: Number.POSITIVE_INFINITY}
  await presentView({...flags, isPrivate: true}, context, shown, view)
}
