// English words of everyday talk, whatever the subject.
//
// How rare a word is among skills does not show how telling it is: in a library of two skills "time" is as rare as
// "sourdough". So the list follows general use, not the installed skills.
import { stem } from './stem.ts';
import { wordList } from './unfold.ts';

const stems: ReadonlySet<string> = new Set(
  wordList`
  accept account across act action add afraid age ago agree air allow almost alone along already alright
  always among amount animal another answer anybody anyone anyway anywhere apart appear area arm around
  arrive article aside ate attention away awful baby back bad bag ball bank bar base be beautiful become bed
  began begin behind believe best better big bill birthday bit black blue board boat body book bored boring
  born both bottom bought box boy break bring broken brother brought brown build building built busy buy
  call called came car card care carry case cat catch cause certain chair chance change check child children
  choice choose city class clean clear clock close clothes coffee cold colour color come common company
  complete computer consider contain continue cook cool copy correct cost couple course cover create cross
  cry cup cut dad dance dark date daughter day days dead deal dear decide deep describe desk detail details
  did die different difficult dinner direct do doctor dog door double doubt draw dream dress drink drive
  drop dry during early easy eat eight either else empty end enjoy enough enter entire especially even
  evening event ever every everybody everyone everywhere exact exactly example excellent except expect
  experience extra eye face fact fair fall false family famous far fast father favourite favorite fear feel
  feeling feet felt few field fight figure fill final find fine finger finish fire first five floor fly
  follow food foot force forget form former forward found four free fresh friend front full fun funny future
  game garden gave general gentle girl glad glass goes gone good great green grey group grow guess guy hair
  half hand happen happened happy hard hat hate head health hear heard heart heat heavy held high hit hold
  hole holiday home hope horse hospital hot hour hours house however huge hundred hungry hurry hurt husband
  idea ill important include indeed inside instead interest interested interesting invite issue item job
  join joke jump keep kept key kid kill kitchen knew known lady land language large last late later laugh
  lay lead learn least leave left leg less letter level lie life light line list listen little live local
  long longer loose lose lost loud love low luck lunch machine mad main man many map mark market matter
  maybe meal mean meaning means meant meet meeting member men mention message met method middle mile mind
  mine minute minutes miss mistake modern mom moment money month months moon morning mother mouth move movie
  much mum music name near nearly necessary neck never new news next nice night nine nobody none noise noon
  normal north nose note nothing notice number object obvious odd offer office often oil old older open
  opinion opposite orange order ordinary others otherwise outside page paid paint pair paper parent part
  party pass past pay people perfect perhaps period person phone photo pick picture piece pink place plan
  plane plant play pleasant please pleased pocket point poor popular position possible post power pretty
  price print private probably problem produce promise proper provide public pull push put quarter quick
  quickly quiet quite radio rain raining raise ran rather reach read ready real realise realize reason
  receive recent recently red remain remember remove reply report rest result return rich ride ring rise
  river road room round rule run running sad safe said sale same sat save saw school sea seat second secret
  seem seen self sell send sense sent sentence separate serious set seven several shape share sheet ship
  shoe shop short shorter shot shout shut sick side sign silly similar simple simply since sing single
  sister sit situation six size skin sky sleep slow slowly small smell smile snow social soft sold somebody
  somehow someone sometimes somewhere son song soon sorry sound south space speak special spend spent spoke
  spot spring stand star start started state station stay step stop store story straight strange street
  strong student study stupid subject success sudden suddenly suggest suit summer sun support suppose
  surprise sweet swim system table tall taste taught tea teach teacher team telephone ten term terrible text
  then therefore thick thin third thirsty thought thousand three threw throw ticket tie till time times tiny
  tired together told tomorrow tonight took top total touch toward towards town train travel tree tried trip
  trouble true truth turn twelve twenty twice type uncle understand unless upon useful usual usually view
  village visit voice wait walk wall warm was wash watch water weak wear weather wedding week weeks weight
  weird welcome went west wet whatever whenever wherever whether while white whole whose wide wife wild win
  wind window winter wish without woman women wonder wonderful wood word words wore world worry worse worst
  worth write writing written wrong wrote year years yellow yes yesterday young zero
`.map(stem),
);

/** Words that were asked for lately: stemming costs more than all else here. */
const known = new Map<string, boolean>();
const mostKnown = 4096;

/** By the stem, so that "breaks" is what "break" is. */
export function isCommonWord(word: string): boolean {
  const before = known.get(word);
  if (before !== undefined) return before;
  const is = stems.has(stem(word));
  if (known.size >= mostKnown) known.clear();
  known.set(word, is);
  return is;
}
