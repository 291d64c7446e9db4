/** The service that was written from the published contract alone; it shares no line with the program. */
export {readJson} from '../torture/published/json.js'
export {makers} from '../torture/published/rounds.js'
export {answer, createState, login, type Request} from '../torture/published/service.js'
