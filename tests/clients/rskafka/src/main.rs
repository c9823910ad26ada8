//! Creates a good topic and a bad one with rskafka, and deletes the good one: see tests/clients/programs.py.
use rskafka::client::ClientBuilder;
use std::fmt::Display;

fn show<T, E: Display>(what: &str, result: Result<T, E>) {
    match result {
        Ok(_) => println!("{what} ok"),
        Err(error) => println!("{what} {}", error.to_string().replace('\n', " ")),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let client = ClientBuilder::new(vec![arguments[1].clone()]).build().await.expect("connects");
    let controller = client.controller_client().expect("has a controller");
    show("good", controller.create_topic(&arguments[2], 1, 1, 60_000).await);
    show("bad", controller.create_topic(&arguments[3], 1, 1, 60_000).await);
    show("delete", controller.delete_topic(&arguments[2], 60_000).await);
}
