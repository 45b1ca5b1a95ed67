// The list of documentation -> the first page: what techne is, and where each kind of reader starts, above the list.
export function homeHtml(list: string): string {
  return list.replace(/<h1[^]*?<\/h1>/, hero);
}

const hero = `<div class="hero">
<h1 id="documentation">techne</h1>
<p class="lead">A skill runtime for AI agents. It finds <code>SKILL.md</code> skills, checks them, shows an agent those that fit its task, and runs those that are programs or plans: within limits, recorded in a journal, and resumable after a crash.</p>
<pre tabindex="0" data-language="sh"><code>npm start    <span class="c"># installs what is missing and runs a shipped skill, offline</span></code></pre>
<p class="ways"><a href="tutorials/write-a-skill.html">Write a skill</a> <a href="tutorials/use-skills.html">Use skills</a> <a href="tutorials/build-an-agent.html">Build an agent</a> <a href="tutorials/operate-a-team.html">Serve a team</a> <a href="playground.html">Try it in the browser</a></p>
</div>`;
