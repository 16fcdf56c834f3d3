"""Write all generated files anew: `python -m generate`, from the folder that holds `docs`."""

from __future__ import annotations

import json
from pathlib import Path

from generate import clauses, commands, declarations, licences, look, readings, schemas, systems
from tapeline.cli.files import load_compiled
from tapeline.play.systems import load_system, system_names

DOCS, SOURCE = Path("docs"), Path("src/tapeline")


def main() -> None:
    """Write every file; tells of clauses that no case shows in full."""
    load_compiled()  # thousands of cases are judged
    reference = DOCS / "reference"
    installed = [load_system(name) for name in system_names()]
    found = clauses.census(["tests/golden"])
    texts = {
        reference / "commands.md": commands.commands_page(),
        reference / "clauses.md": clauses.page(found.values()),
        reference / "readings.md": readings.page(installed),
        DOCS / "licences.md": licences.page(Path("requirements.lock"), SOURCE),
        SOURCE / "web/static/lib/documents.d.ts": declarations.declarations(),
    }
    for system in installed:
        texts[reference / "systems" / f"{system.name}.md"] = systems.page(system)
    for name, schema in schemas.schemas().items():
        texts[reference / "schema" / name] = json.dumps(schema, indent=2) + "\n"
    for path, made in look.FILES.items():
        texts[path] = made()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    examples = Path("examples")
    commands.write_pictures(examples, DOCS / "pictures")
    for page in sorted(DOCS.glob("*.md")):
        page.write_text(commands.with_outputs(page.read_text("utf-8"), examples), encoding="utf-8")
    for of_system in found.values():
        for clause, lacking in of_system.lacking().items():
            print(f"{clause}: {lacking}")


if __name__ == "__main__":
    main()
