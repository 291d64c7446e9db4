import type {Ora} from 'ora'
import {createCut, widthOf} from '../../core/text-width.js'

/** The spinner, a space, and the cursor. */
const besideText = 3

export type ProgressLine = {show(text: string): void; end(): void}

/**
 * A progress line that stays within the terminal, also when that gets narrower: terminals that reflow text then show the
 * old line in several rows, of which the spinner clears only the last.
 */
export function createLine(spinner: Ora, stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): ProgressLine {
  const cut = createCut()
  let shown = 0
  const show = (text: string) => {
    spinner.text = cut(text, stream.columns - besideText)
    shown = widthOf(spinner.text)
  }
  const onResize = () => {
    if (!spinner.isSpinning) return
    const rows = Math.ceil((shown + besideText - 1) / stream.columns)
    const {text} = spinner
    spinner.stop()
    if (rows > 1 && reflowsText(environment)) {
      stream.moveCursor(0, 1 - rows)
      stream.clearScreenDown()
    }
    show(text)
    spinner.start()
  }
  stream.on('resize', onResize)
  return {show, end: () => void stream.off('resize', onResize)}
}

/** Whether lines are reflowed. Others, such as xterm, cut them, and going up there would clear earlier output. */
function reflowsText({TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM}: NodeJS.ProcessEnv): boolean {
  return [TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM].some(Boolean)
}
