import type {Ora} from 'ora'
import {createCut, widthOf} from '../../core/text-width.js'

/** The sign that turns, a space, and the place of the cursor. */
const besideText = 3

export type ProgressLine = {show(text: string): void; end(): void}

/**
 * Keeps a progress line within the terminal, also when that gets narrower: terminals that flow again then show the old
 * line in several rows, of which the spinner would take away the last only.
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
    if (rows > 1 && flowsAgain(environment)) {
      stream.moveCursor(0, 1 - rows)
      stream.clearScreenDown()
    }
    show(text)
    spinner.start()
  }
  stream.on('resize', onResize)
  return {show, end: () => void stream.off('resize', onResize)}
}

/** Others, such as xterm, cut lines off; going up there would take away what was printed before. */
function flowsAgain({TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM}: NodeJS.ProcessEnv): boolean {
  return [TMUX, VTE_VERSION, WT_SESSION, KITTY_WINDOW_ID, TERM_PROGRAM].some(Boolean)
}
